"""Read or write a table of a database, with chosen versions of pandas and SQLAlchemy."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from versions import folders, run_program

FOLDERS = folders()
PROGRAM = """
import sys
import pandas as pd
import sqlalchemy as sa

action, connection = sys.argv[1:]
engine = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
with engine.begin() as start:
    start.execute(sa.text("create table items (a integer)"))

def work(database):
    if action == "query":
        pd.read_sql_query("select * from items", database)
    elif action == "text query":
        pd.read_sql_query(sa.text("select * from items"), database)
    elif action == "table":
        pd.read_sql_table("items", database)
    else:
        pd.DataFrame({"a": [1]}).to_sql("more", database, index=False)

if connection == "engine":
    work(engine)
else:
    with engine.connect() as database:
        work(database)
"""


def run(config: dict) -> None:
    path = [FOLDERS[f"sqlalchemy=={config['sqlalchemy']}"], FOLDERS[f"pandas=={config['pandas']}"]]
    run_program(PROGRAM, path, config["action"], config["connection"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
