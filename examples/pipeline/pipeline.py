"""A pipeline that trains a classifier: data with gaps, an imputer, a scaler, an estimator, a cross-validated score.

    python pipeline.py settings.json

It fails if the F-measure is below 0.6, or if it crashes.
"""

import json
import sys
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

MIN_SCORE = 0.6
DATASETS = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer}
IMPUTERS = {
    "passthrough": "passthrough",  # some estimators accept missing values
    "mean": SimpleImputer(strategy="mean"),
    "median": SimpleImputer(strategy="median"),
    "most_frequent": SimpleImputer(strategy="most_frequent"),
}
SCALERS = {"passthrough": "passthrough", "standard": StandardScaler()}
ESTIMATORS = {
    "logistic_regression": LogisticRegression(max_iter=200),
    "naive_bayes": GaussianNB(),
    "decision_tree": DecisionTreeClassifier(random_state=0),
    "gradient_boosting": HistGradientBoostingClassifier(max_iter=20, random_state=0),
}
TEST_SIZES = (0.2, 0.4, 0.6, 0.7, 0.8, 0.9)


def load(name):
    """Return the dataset with a tenth of its values missing, the same ones in every run."""
    features, classes = DATASETS[name](return_X_y=True)
    features[np.random.default_rng(0).random(features.shape) < 0.1] = np.nan
    return features, classes


def score(settings):
    """Return the mean F-measure over five random splits with this test size."""
    features, classes = load(settings["dataset"])
    model = make_pipeline(IMPUTERS[settings["imputer"]], SCALERS[settings["scaler"]], ESTIMATORS[settings["estimator"]])
    folds = StratifiedShuffleSplit(5, test_size=settings["test_size"], random_state=0)
    with warnings.catch_warnings(), threadpool_limits(1):  # for so little data, threads only cost time
        warnings.simplefilter("ignore", ConvergenceWarning)
        scores = cross_val_score(model, features, classes, cv=folds, scoring="f1_macro", error_score="raise")
    return float(scores.mean())


def check(settings):
    """Raise if the score is too low; an exception from scikit-learn is a failure as well."""
    found = score(settings)
    if found < MIN_SCORE:
        raise RuntimeError(f"the F-measure is {found:.2f}")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        check(json.load(file))
