BEGIN TRANSACTION;
CREATE TABLE studies (
	study_id INTEGER NOT NULL, 
	study_name VARCHAR(512) NOT NULL, 
	PRIMARY KEY (study_id)
);
INSERT INTO "studies" VALUES(1,'train');
INSERT INTO "studies" VALUES(2,'two goals');
CREATE TABLE trial_params (
	param_id INTEGER NOT NULL, 
	trial_id INTEGER, 
	param_name VARCHAR(512), 
	param_value FLOAT, 
	distribution_json TEXT, 
	PRIMARY KEY (param_id), 
	UNIQUE (trial_id, param_name), 
	FOREIGN KEY(trial_id) REFERENCES trials (trial_id)
);
INSERT INTO "trial_params" VALUES(1,1,'solver',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(2,1,'rate',0.1,'{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.1, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(3,1,'depth',3.0,'{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 1, "high": 8}}');
INSERT INTO "trial_params" VALUES(4,1,'warm',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": [true, false]}}');
INSERT INTO "trial_params" VALUES(5,2,'solver',1.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(6,2,'rate',0.8,'{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.1, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(7,2,'depth',3.0,'{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 1, "high": 8}}');
INSERT INTO "trial_params" VALUES(8,2,'warm',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": [true, false]}}');
INSERT INTO "trial_params" VALUES(9,3,'solver',2.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(10,3,'rate',0.2,'{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.1, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(11,3,'depth',2.0,'{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 1, "high": 8}}');
INSERT INTO "trial_params" VALUES(12,3,'warm',1.0,'{"name": "CategoricalDistribution", "attributes": {"choices": [true, false]}}');
INSERT INTO "trial_params" VALUES(13,4,'solver',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(14,4,'rate',0.9,'{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.1, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(15,4,'depth',2.0,'{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 1, "high": 8}}');
INSERT INTO "trial_params" VALUES(16,4,'warm',1.0,'{"name": "CategoricalDistribution", "attributes": {"choices": [true, false]}}');
INSERT INTO "trial_params" VALUES(17,5,'solver',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(18,5,'rate',0.4,'{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.1, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(19,5,'depth',8.0,'{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 1, "high": 8}}');
INSERT INTO "trial_params" VALUES(20,5,'warm',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": [true, false]}}');
INSERT INTO "trial_params" VALUES(21,6,'solver',1.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(22,6,'rate',0.2,'{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.1, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(23,6,'depth',7.0,'{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 1, "high": 8}}');
INSERT INTO "trial_params" VALUES(24,6,'warm',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": [true, false]}}');
INSERT INTO "trial_params" VALUES(25,7,'solver',1.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(26,7,'rate',0.3,'{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.1, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(27,7,'depth',1.0,'{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 1, "high": 8}}');
INSERT INTO "trial_params" VALUES(28,7,'warm',1.0,'{"name": "CategoricalDistribution", "attributes": {"choices": [true, false]}}');
INSERT INTO "trial_params" VALUES(29,8,'solver',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(30,10,'solver',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": ["saga", "lbfgs", null]}}');
INSERT INTO "trial_params" VALUES(31,10,'rate',0.5,'{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.1, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(32,10,'depth',4.0,'{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 1, "high": 8}}');
INSERT INTO "trial_params" VALUES(33,10,'warm',0.0,'{"name": "CategoricalDistribution", "attributes": {"choices": [true, false]}}');
INSERT INTO "trial_params" VALUES(34,11,'x',0.25,'{"name": "FloatDistribution", "attributes": {"step": null, "low": 0.0, "high": 1.0, "log": false}}');
INSERT INTO "trial_params" VALUES(35,12,'x',0.75,'{"name": "FloatDistribution", "attributes": {"step": null, "low": 0.0, "high": 1.0, "log": false}}');
CREATE TABLE trial_user_attributes (
	trial_user_attribute_id INTEGER NOT NULL, 
	trial_id INTEGER, 
	"key" VARCHAR(512), 
	value_json TEXT, 
	PRIMARY KEY (trial_user_attribute_id), 
	UNIQUE (trial_id, "key"), 
	FOREIGN KEY(trial_id) REFERENCES trials (trial_id)
);
INSERT INTO "trial_user_attributes" VALUES(1,1,'rows','300');
INSERT INTO "trial_user_attributes" VALUES(2,2,'rows','300');
INSERT INTO "trial_user_attributes" VALUES(3,3,'rows','200');
INSERT INTO "trial_user_attributes" VALUES(4,4,'rows','200');
INSERT INTO "trial_user_attributes" VALUES(5,5,'rows','800');
INSERT INTO "trial_user_attributes" VALUES(6,6,'rows','700');
INSERT INTO "trial_user_attributes" VALUES(7,7,'rows','100');
CREATE TABLE trial_values (
	trial_value_id INTEGER NOT NULL, 
	trial_id INTEGER NOT NULL, 
	objective INTEGER NOT NULL, 
	value FLOAT, 
	value_type VARCHAR(7) NOT NULL, 
	PRIMARY KEY (trial_value_id), 
	UNIQUE (trial_id, objective), 
	FOREIGN KEY(trial_id) REFERENCES trials (trial_id)
);
INSERT INTO "trial_values" VALUES(1,1,0,0.9,'FINITE');
INSERT INTO "trial_values" VALUES(2,2,0,0.3,'FINITE');
INSERT INTO "trial_values" VALUES(3,4,0,0.3,'FINITE');
INSERT INTO "trial_values" VALUES(4,5,0,0.5,'FINITE');
INSERT INTO "trial_values" VALUES(5,6,0,NULL,'INF_POS');
INSERT INTO "trial_values" VALUES(6,7,0,0.9,'FINITE');
INSERT INTO "trial_values" VALUES(7,10,0,0.95,'FINITE');
INSERT INTO "trial_values" VALUES(8,11,0,0.25,'FINITE');
INSERT INTO "trial_values" VALUES(9,11,1,0.75,'FINITE');
INSERT INTO "trial_values" VALUES(10,12,0,0.75,'FINITE');
INSERT INTO "trial_values" VALUES(11,12,1,0.25,'FINITE');
CREATE TABLE trials (
	trial_id INTEGER NOT NULL, 
	number INTEGER, 
	study_id INTEGER, 
	state VARCHAR(8) NOT NULL, 
	datetime_start DATETIME, 
	datetime_complete DATETIME, 
	PRIMARY KEY (trial_id), 
	FOREIGN KEY(study_id) REFERENCES studies (study_id)
);
INSERT INTO "trials" VALUES(1,0,1,'COMPLETE','2026-11-16 09:37:26.769712','2026-11-16 09:37:26.800166');
INSERT INTO "trials" VALUES(2,1,1,'COMPLETE','2026-11-16 09:37:26.808479','2026-11-16 09:37:26.824839');
INSERT INTO "trials" VALUES(3,2,1,'FAIL','2026-11-16 09:37:26.832260','2026-11-16 09:37:26.848288');
INSERT INTO "trials" VALUES(4,3,1,'COMPLETE','2026-11-16 09:37:26.854002','2026-11-16 09:37:26.871423');
INSERT INTO "trials" VALUES(5,4,1,'PRUNED','2026-11-16 09:37:26.878184','2026-11-16 09:37:26.895195');
INSERT INTO "trials" VALUES(6,5,1,'COMPLETE','2026-11-16 09:37:26.902721','2026-11-16 09:37:26.926464');
INSERT INTO "trials" VALUES(7,6,1,'COMPLETE','2026-11-16 09:37:26.932664','2026-11-16 09:37:26.948304');
INSERT INTO "trials" VALUES(8,7,1,'RUNNING','2026-11-16 09:37:26.957726',NULL);
INSERT INTO "trials" VALUES(9,8,1,'WAITING',NULL,NULL);
INSERT INTO "trials" VALUES(10,9,1,'COMPLETE','2026-11-16 09:37:26.966045','2026-11-16 09:37:26.966045');
INSERT INTO "trials" VALUES(11,0,2,'COMPLETE','2026-11-16 09:37:27.027787','2026-11-16 09:37:27.041801');
INSERT INTO "trials" VALUES(12,1,2,'COMPLETE','2026-11-16 09:37:27.049114','2026-11-16 09:37:27.056774');
COMMIT;
