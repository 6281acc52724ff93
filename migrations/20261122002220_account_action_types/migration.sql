-- Agents add and delete external accounts. The labels cannot be used before this is committed.
ALTER TYPE agent_action_type ADD VALUE 'CREATE_EXTERNAL_ACCOUNT';
ALTER TYPE agent_action_type ADD VALUE 'DELETE_EXTERNAL_ACCOUNT';
