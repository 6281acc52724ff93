-- A platform as an object of its own. Like every other object it is found by platform_id and id.
CREATE VIEW platform_configs AS SELECT id AS platform_id, platforms.* FROM platforms;
