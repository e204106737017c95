BEGIN TRANSACTION;
CREATE TABLE "experiments" (
	experiment_id INTEGER NOT NULL, 
	name VARCHAR(256) NOT NULL, 
	artifact_location VARCHAR(256), 
	lifecycle_stage VARCHAR(32), 
	creation_time BIGINT, 
	last_update_time BIGINT, 
	workspace VARCHAR(63) DEFAULT 'default' NOT NULL, 
	CONSTRAINT experiment_pk PRIMARY KEY (experiment_id), 
	CONSTRAINT experiments_lifecycle_stage CHECK (lifecycle_stage IN ('active', 'deleted')), 
	CONSTRAINT uq_experiments_workspace_name UNIQUE (workspace, name)
);
INSERT INTO "experiments" VALUES(0,'Default','/home/ada/mlruns/0','active',1794821801849,1794821801849,'default');
INSERT INTO "experiments" VALUES(1,'train','/home/ada/mlruns/1','active',1794821801851,1794821801851,'default');
INSERT INTO "experiments" VALUES(2,'other','/home/ada/mlruns/2','active',1794821802179,1794821802179,'default');
INSERT INTO "experiments" VALUES(3,'gone','/home/ada/mlruns/3','deleted',1794821802226,1794821802249,'default');
CREATE TABLE "latest_metrics" (
	"key" VARCHAR(250) NOT NULL, 
	value FLOAT NOT NULL, 
	timestamp BIGINT, 
	step BIGINT NOT NULL, 
	is_nan BOOLEAN NOT NULL, 
	run_uuid VARCHAR(32) NOT NULL, 
	CONSTRAINT latest_metric_pk PRIMARY KEY ("key", run_uuid), 
	FOREIGN KEY(run_uuid) REFERENCES runs (run_uuid), 
	CHECK (is_nan IN (0, 1))
);
INSERT INTO "latest_metrics" VALUES('accuracy',0.91,1711929600001,1,0,'65f36a8c14b94ae8ba940eb38f13b83e');
INSERT INTO "latest_metrics" VALUES('seconds',3.0,1711929600002,2,0,'65f36a8c14b94ae8ba940eb38f13b83e');
INSERT INTO "latest_metrics" VALUES('accuracy',0.88,1712016000000,0,0,'ce0b9f7376a549e5968e163fe53a367c');
INSERT INTO "latest_metrics" VALUES('seconds',4.0,1712016000001,1,0,'ce0b9f7376a549e5968e163fe53a367c');
INSERT INTO "latest_metrics" VALUES('seconds',5.0,1712102400000,0,0,'a9de2ff3397440f1b1f4278737c387bc');
INSERT INTO "latest_metrics" VALUES('accuracy',0.42,1712188800000,0,0,'d4c9434ff8d04ad794cbea651a1d91a6');
INSERT INTO "latest_metrics" VALUES('seconds',6.0,1712188800001,1,0,'d4c9434ff8d04ad794cbea651a1d91a6');
INSERT INTO "latest_metrics" VALUES('accuracy',0.0,1712275200000,0,1,'24ff07748a954146975f765d565889d9');
INSERT INTO "latest_metrics" VALUES('seconds',7.0,1712275200001,1,0,'24ff07748a954146975f765d565889d9');
INSERT INTO "latest_metrics" VALUES('accuracy',0.93,1712361600000,0,0,'35e3f143a5274085a674d4550600bc73');
INSERT INTO "latest_metrics" VALUES('seconds',8.0,1712361600001,1,0,'35e3f143a5274085a674d4550600bc73');
INSERT INTO "latest_metrics" VALUES('accuracy',0.9,1712448000000,0,0,'839890028c3648699346e65646b9cf55');
INSERT INTO "latest_metrics" VALUES('seconds',9.0,1712448000001,1,0,'839890028c3648699346e65646b9cf55');
INSERT INTO "latest_metrics" VALUES('accuracy',0.2,1712534400000,0,0,'55a6a50d40a143709f2cb0a1c95d921a');
INSERT INTO "latest_metrics" VALUES('accuracy',0.2,1712620800000,0,0,'a0bdedbe5e304eaabebc81ca94d32b14');
INSERT INTO "latest_metrics" VALUES('best',0.95,1712707200000,0,0,'0ad9fafe5f964f67a006b65f5d9fa608');
INSERT INTO "latest_metrics" VALUES('accuracy',1.79769313486231562234e+308,1712707200000,0,0,'2bf69a41c09a46bbb185dcbeed46fc3b');
INSERT INTO "latest_metrics" VALUES('loss',1.5,1711929600000,0,0,'51e50715b3ca46fabc1346d6d17a9a1d');
INSERT INTO "latest_metrics" VALUES('loss',-1.79769313486231562234e+308,1712016000000,0,0,'5142aa59df0f416893eccee8518e0380');
CREATE TABLE "metrics" (
	"key" VARCHAR(250) NOT NULL, 
	value FLOAT NOT NULL, 
	timestamp BIGINT NOT NULL, 
	run_uuid VARCHAR(32) NOT NULL, 
	step BIGINT DEFAULT '0' NOT NULL, 
	is_nan BOOLEAN DEFAULT '0' NOT NULL, 
	CONSTRAINT metric_pk PRIMARY KEY ("key", timestamp, step, run_uuid, value, is_nan), 
	FOREIGN KEY(run_uuid) REFERENCES runs (run_uuid), 
	CHECK (is_nan IN (0, 1))
);
INSERT INTO "metrics" VALUES('accuracy',0.5,1711929600000,'65f36a8c14b94ae8ba940eb38f13b83e',0,0);
INSERT INTO "metrics" VALUES('accuracy',0.91,1711929600001,'65f36a8c14b94ae8ba940eb38f13b83e',1,0);
INSERT INTO "metrics" VALUES('seconds',3.0,1711929600002,'65f36a8c14b94ae8ba940eb38f13b83e',2,0);
INSERT INTO "metrics" VALUES('accuracy',0.88,1712016000000,'ce0b9f7376a549e5968e163fe53a367c',0,0);
INSERT INTO "metrics" VALUES('seconds',4.0,1712016000001,'ce0b9f7376a549e5968e163fe53a367c',1,0);
INSERT INTO "metrics" VALUES('seconds',5.0,1712102400000,'a9de2ff3397440f1b1f4278737c387bc',0,0);
INSERT INTO "metrics" VALUES('accuracy',0.42,1712188800000,'d4c9434ff8d04ad794cbea651a1d91a6',0,0);
INSERT INTO "metrics" VALUES('seconds',6.0,1712188800001,'d4c9434ff8d04ad794cbea651a1d91a6',1,0);
INSERT INTO "metrics" VALUES('accuracy',0.0,1712275200000,'24ff07748a954146975f765d565889d9',0,1);
INSERT INTO "metrics" VALUES('seconds',7.0,1712275200001,'24ff07748a954146975f765d565889d9',1,0);
INSERT INTO "metrics" VALUES('accuracy',0.93,1712361600000,'35e3f143a5274085a674d4550600bc73',0,0);
INSERT INTO "metrics" VALUES('seconds',8.0,1712361600001,'35e3f143a5274085a674d4550600bc73',1,0);
INSERT INTO "metrics" VALUES('accuracy',0.9,1712448000000,'839890028c3648699346e65646b9cf55',0,0);
INSERT INTO "metrics" VALUES('seconds',9.0,1712448000001,'839890028c3648699346e65646b9cf55',1,0);
INSERT INTO "metrics" VALUES('accuracy',0.2,1712534400000,'55a6a50d40a143709f2cb0a1c95d921a',0,0);
INSERT INTO "metrics" VALUES('accuracy',0.2,1712620800000,'a0bdedbe5e304eaabebc81ca94d32b14',0,0);
INSERT INTO "metrics" VALUES('best',0.95,1712707200000,'0ad9fafe5f964f67a006b65f5d9fa608',0,0);
INSERT INTO "metrics" VALUES('accuracy',1.79769313486231562234e+308,1712707200000,'2bf69a41c09a46bbb185dcbeed46fc3b',0,0);
INSERT INTO "metrics" VALUES('loss',1.5,1711929600000,'51e50715b3ca46fabc1346d6d17a9a1d',0,0);
INSERT INTO "metrics" VALUES('loss',-1.79769313486231562234e+308,1712016000000,'5142aa59df0f416893eccee8518e0380',0,0);
CREATE TABLE "params" (
	"key" VARCHAR(250) NOT NULL, 
	value VARCHAR(8000) NOT NULL, 
	run_uuid VARCHAR(32) NOT NULL, 
	CONSTRAINT param_pk PRIMARY KEY ("key", run_uuid), 
	FOREIGN KEY(run_uuid) REFERENCES runs (run_uuid)
);
INSERT INTO "params" VALUES('solver','saga','65f36a8c14b94ae8ba940eb38f13b83e');
INSERT INTO "params" VALUES('penalty','l1','65f36a8c14b94ae8ba940eb38f13b83e');
INSERT INTO "params" VALUES('rate','0.1','65f36a8c14b94ae8ba940eb38f13b83e');
INSERT INTO "params" VALUES('warm','True','65f36a8c14b94ae8ba940eb38f13b83e');
INSERT INTO "params" VALUES('solver','lbfgs','ce0b9f7376a549e5968e163fe53a367c');
INSERT INTO "params" VALUES('penalty','l2','ce0b9f7376a549e5968e163fe53a367c');
INSERT INTO "params" VALUES('rate','0.5','ce0b9f7376a549e5968e163fe53a367c');
INSERT INTO "params" VALUES('warm','True','ce0b9f7376a549e5968e163fe53a367c');
INSERT INTO "params" VALUES('solver','lbfgs','a9de2ff3397440f1b1f4278737c387bc');
INSERT INTO "params" VALUES('penalty','l1','a9de2ff3397440f1b1f4278737c387bc');
INSERT INTO "params" VALUES('rate','0.1','a9de2ff3397440f1b1f4278737c387bc');
INSERT INTO "params" VALUES('warm','False','a9de2ff3397440f1b1f4278737c387bc');
INSERT INTO "params" VALUES('solver','saga','d4c9434ff8d04ad794cbea651a1d91a6');
INSERT INTO "params" VALUES('penalty','l2','d4c9434ff8d04ad794cbea651a1d91a6');
INSERT INTO "params" VALUES('rate','1.0','d4c9434ff8d04ad794cbea651a1d91a6');
INSERT INTO "params" VALUES('warm','False','d4c9434ff8d04ad794cbea651a1d91a6');
INSERT INTO "params" VALUES('solver','lbfgs','24ff07748a954146975f765d565889d9');
INSERT INTO "params" VALUES('penalty','l2','24ff07748a954146975f765d565889d9');
INSERT INTO "params" VALUES('rate','1.0','24ff07748a954146975f765d565889d9');
INSERT INTO "params" VALUES('warm','True','24ff07748a954146975f765d565889d9');
INSERT INTO "params" VALUES('solver','saga','35e3f143a5274085a674d4550600bc73');
INSERT INTO "params" VALUES('penalty','l1','35e3f143a5274085a674d4550600bc73');
INSERT INTO "params" VALUES('rate','0.5','35e3f143a5274085a674d4550600bc73');
INSERT INTO "params" VALUES('warm','True','35e3f143a5274085a674d4550600bc73');
INSERT INTO "params" VALUES('solver','saga','839890028c3648699346e65646b9cf55');
INSERT INTO "params" VALUES('penalty','l2','839890028c3648699346e65646b9cf55');
INSERT INTO "params" VALUES('rate','0.1','839890028c3648699346e65646b9cf55');
INSERT INTO "params" VALUES('warm','True','839890028c3648699346e65646b9cf55');
INSERT INTO "params" VALUES('solver','saga','55a6a50d40a143709f2cb0a1c95d921a');
INSERT INTO "params" VALUES('penalty','l1','55a6a50d40a143709f2cb0a1c95d921a');
INSERT INTO "params" VALUES('rate','0.2','55a6a50d40a143709f2cb0a1c95d921a');
INSERT INTO "params" VALUES('warm','True','55a6a50d40a143709f2cb0a1c95d921a');
INSERT INTO "params" VALUES('solver','saga','a0bdedbe5e304eaabebc81ca94d32b14');
INSERT INTO "params" VALUES('penalty','l1','a0bdedbe5e304eaabebc81ca94d32b14');
INSERT INTO "params" VALUES('rate','0.3','a0bdedbe5e304eaabebc81ca94d32b14');
INSERT INTO "params" VALUES('warm','True','a0bdedbe5e304eaabebc81ca94d32b14');
INSERT INTO "params" VALUES('sweep','rates','0ad9fafe5f964f67a006b65f5d9fa608');
INSERT INTO "params" VALUES('solver','saga','2bf69a41c09a46bbb185dcbeed46fc3b');
INSERT INTO "params" VALUES('penalty','l1','2bf69a41c09a46bbb185dcbeed46fc3b');
INSERT INTO "params" VALUES('rate','1.0','2bf69a41c09a46bbb185dcbeed46fc3b');
INSERT INTO "params" VALUES('warm','False','2bf69a41c09a46bbb185dcbeed46fc3b');
INSERT INTO "params" VALUES('depth','3','51e50715b3ca46fabc1346d6d17a9a1d');
INSERT INTO "params" VALUES('name','007','51e50715b3ca46fabc1346d6d17a9a1d');
INSERT INTO "params" VALUES('depth','4','5142aa59df0f416893eccee8518e0380');
INSERT INTO "params" VALUES('x','1','69e478faa1994f3584ae472ba7dc32c9');
CREATE TABLE "runs" (
	run_uuid VARCHAR(32) NOT NULL, 
	name VARCHAR(250), 
	source_type VARCHAR(20), 
	source_name VARCHAR(500), 
	entry_point_name VARCHAR(50), 
	user_id VARCHAR(256), 
	status VARCHAR(9), 
	start_time BIGINT, 
	end_time BIGINT, 
	source_version VARCHAR(50), 
	lifecycle_stage VARCHAR(20), 
	artifact_uri VARCHAR(200), 
	experiment_id INTEGER, deleted_time BIGINT, 
	CONSTRAINT run_pk PRIMARY KEY (run_uuid), 
	CONSTRAINT source_type CHECK (source_type IN ('NOTEBOOK', 'JOB', 'LOCAL', 'UNKNOWN', 'PROJECT')), 
	CONSTRAINT runs_lifecycle_stage CHECK (lifecycle_stage IN ('active', 'deleted')), 
	FOREIGN KEY(experiment_id) REFERENCES experiments (experiment_id), 
	CHECK (status IN ('SCHEDULED', 'FAILED', 'FINISHED', 'RUNNING', 'KILLED'))
);
INSERT INTO "runs" VALUES('65f36a8c14b94ae8ba940eb38f13b83e','day-0','UNKNOWN','','','unknown','FINISHED',1711929600000,1711929660000,'','active','/home/ada/mlruns/1/65f36a8c14b94ae8ba940eb38f13b83e/artifacts',1,NULL);
INSERT INTO "runs" VALUES('ce0b9f7376a549e5968e163fe53a367c','day-1','UNKNOWN','','','unknown','FINISHED',1712016000000,1712016060000,'','active','/home/ada/mlruns/1/ce0b9f7376a549e5968e163fe53a367c/artifacts',1,NULL);
INSERT INTO "runs" VALUES('a9de2ff3397440f1b1f4278737c387bc','day-2','UNKNOWN','','','unknown','FAILED',1712102400000,1712102460000,'','active','/home/ada/mlruns/1/a9de2ff3397440f1b1f4278737c387bc/artifacts',1,NULL);
INSERT INTO "runs" VALUES('d4c9434ff8d04ad794cbea651a1d91a6','day-3','UNKNOWN','','','unknown','FINISHED',1712188800000,1712188860000,'','active','/home/ada/mlruns/1/d4c9434ff8d04ad794cbea651a1d91a6/artifacts',1,NULL);
INSERT INTO "runs" VALUES('24ff07748a954146975f765d565889d9','day-4','UNKNOWN','','','unknown','FINISHED',1712275200000,1712275260000,'','active','/home/ada/mlruns/1/24ff07748a954146975f765d565889d9/artifacts',1,NULL);
INSERT INTO "runs" VALUES('35e3f143a5274085a674d4550600bc73','day-5','UNKNOWN','','','unknown','FINISHED',1712361600000,1712361660000,'','active','/home/ada/mlruns/1/35e3f143a5274085a674d4550600bc73/artifacts',1,NULL);
INSERT INTO "runs" VALUES('839890028c3648699346e65646b9cf55','day-6','UNKNOWN','','','unknown','KILLED',1712448000000,1712448060000,'','active','/home/ada/mlruns/1/839890028c3648699346e65646b9cf55/artifacts',1,NULL);
INSERT INTO "runs" VALUES('55a6a50d40a143709f2cb0a1c95d921a','day-7','UNKNOWN','','','unknown','RUNNING',1712534400000,NULL,'','active','/home/ada/mlruns/1/55a6a50d40a143709f2cb0a1c95d921a/artifacts',1,NULL);
INSERT INTO "runs" VALUES('a0bdedbe5e304eaabebc81ca94d32b14','day-8','UNKNOWN','','','unknown','FINISHED',1712620800000,1712620860000,'','deleted','/home/ada/mlruns/1/a0bdedbe5e304eaabebc81ca94d32b14/artifacts',1,1794821802121);
INSERT INTO "runs" VALUES('0ad9fafe5f964f67a006b65f5d9fa608','day-9','UNKNOWN','','','unknown','FINISHED',1712707200000,1712707260000,'','active','/home/ada/mlruns/1/0ad9fafe5f964f67a006b65f5d9fa608/artifacts',1,NULL);
INSERT INTO "runs" VALUES('2bf69a41c09a46bbb185dcbeed46fc3b','day-9','UNKNOWN','','','unknown','FINISHED',1712707200000,1712707260000,'','active','/home/ada/mlruns/1/2bf69a41c09a46bbb185dcbeed46fc3b/artifacts',1,NULL);
INSERT INTO "runs" VALUES('51e50715b3ca46fabc1346d6d17a9a1d','day-0','UNKNOWN','','','unknown','FINISHED',1711929600000,1711929660000,'','active','/home/ada/mlruns/2/51e50715b3ca46fabc1346d6d17a9a1d/artifacts',2,NULL);
INSERT INTO "runs" VALUES('5142aa59df0f416893eccee8518e0380','day-1','UNKNOWN','','','unknown','FINISHED',1712016000000,1712016060000,'','active','/home/ada/mlruns/2/5142aa59df0f416893eccee8518e0380/artifacts',2,NULL);
INSERT INTO "runs" VALUES('69e478faa1994f3584ae472ba7dc32c9','day-0','UNKNOWN','','','unknown','FINISHED',1711929600000,1711929660000,'','deleted','/home/ada/mlruns/3/69e478faa1994f3584ae472ba7dc32c9/artifacts',3,1794821802252);
CREATE TABLE "tags" (
	"key" VARCHAR(250) NOT NULL, 
	value VARCHAR(8000), 
	run_uuid VARCHAR(32) NOT NULL, 
	CONSTRAINT tag_pk PRIMARY KEY ("key", run_uuid), 
	FOREIGN KEY(run_uuid) REFERENCES runs (run_uuid)
);
INSERT INTO "tags" VALUES('dataset','v1','65f36a8c14b94ae8ba940eb38f13b83e');
INSERT INTO "tags" VALUES('mlflow.runName','day-0','65f36a8c14b94ae8ba940eb38f13b83e');
INSERT INTO "tags" VALUES('dataset','v1','ce0b9f7376a549e5968e163fe53a367c');
INSERT INTO "tags" VALUES('mlflow.runName','day-1','ce0b9f7376a549e5968e163fe53a367c');
INSERT INTO "tags" VALUES('dataset','v1','a9de2ff3397440f1b1f4278737c387bc');
INSERT INTO "tags" VALUES('mlflow.runName','day-2','a9de2ff3397440f1b1f4278737c387bc');
INSERT INTO "tags" VALUES('dataset','v1','d4c9434ff8d04ad794cbea651a1d91a6');
INSERT INTO "tags" VALUES('mlflow.runName','day-3','d4c9434ff8d04ad794cbea651a1d91a6');
INSERT INTO "tags" VALUES('dataset','v1','24ff07748a954146975f765d565889d9');
INSERT INTO "tags" VALUES('mlflow.runName','day-4','24ff07748a954146975f765d565889d9');
INSERT INTO "tags" VALUES('dataset','v1','35e3f143a5274085a674d4550600bc73');
INSERT INTO "tags" VALUES('mlflow.runName','day-5','35e3f143a5274085a674d4550600bc73');
INSERT INTO "tags" VALUES('dataset','v1','839890028c3648699346e65646b9cf55');
INSERT INTO "tags" VALUES('mlflow.runName','day-6','839890028c3648699346e65646b9cf55');
INSERT INTO "tags" VALUES('mlflow.runName','day-7','55a6a50d40a143709f2cb0a1c95d921a');
INSERT INTO "tags" VALUES('mlflow.runName','day-8','a0bdedbe5e304eaabebc81ca94d32b14');
INSERT INTO "tags" VALUES('mlflow.runName','day-9','0ad9fafe5f964f67a006b65f5d9fa608');
INSERT INTO "tags" VALUES('mlflow.parentRunId','0ad9fafe5f964f67a006b65f5d9fa608','2bf69a41c09a46bbb185dcbeed46fc3b');
INSERT INTO "tags" VALUES('mlflow.runName','day-9','2bf69a41c09a46bbb185dcbeed46fc3b');
INSERT INTO "tags" VALUES('mlflow.runName','day-0','51e50715b3ca46fabc1346d6d17a9a1d');
INSERT INTO "tags" VALUES('mlflow.runName','day-1','5142aa59df0f416893eccee8518e0380');
INSERT INTO "tags" VALUES('mlflow.runName','day-0','69e478faa1994f3584ae472ba7dc32c9');
COMMIT;
