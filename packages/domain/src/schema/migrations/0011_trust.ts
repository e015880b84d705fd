import { statements } from './statements.ts'

/**
 * Keys that expire or overlap; who disabled an agent, as far as the audit shows it (otherwise only the owner can enable
 * it); and an audit with the names of its targets and the door of each write.
 */
export const migration = statements([
  `alter table agents add column disabled_by text`,
  `alter table agents add column key_expires_at text`,
  `alter table agents add column former_key_hash text`,
  `alter table agents add column former_key_until text`,
  `create unique index agents_former_key on agents (former_key_hash) where former_key_hash is not null`,
  `alter table audit add column target_type text not null default 'agent'`,
  `alter table audit add column target_name text not null default ''`,
  `alter table audit add column origin text not null default 'http'`,
  `update agents set disabled_by = (
    select actor_id from audit
    where audit.target_id = agents.id and action = 'agent_updated' and fields like '%"is_active"%'
    order by created_at desc, id desc limit 1
  ) where is_active = 0 and deleted_at is null`,
  `update audit set action = 'key_regenerated' where action = 'agent_key_regenerated'`,
  `update audit set action = 'preset_created' where action = 'preset_cloned'`,
  `update audit set action = 'settings_updated', target_type = 'settings' where action = 'runtime_settings_updated'`,
  `update audit set target_type = 'preset' where action like 'preset_%'`,
  `update audit set target_name = coalesce((select name from agents where agents.id = target_id), '')
    where target_type = 'agent'`,
  `update audit set target_name = coalesce((select name from presets where presets.id = target_id), '')
    where target_type = 'preset'`,
  `drop index if exists audit_time`,
  `create index audit_time on audit (created_at, id)`,
  `create index audit_target on audit (target_id, created_at, id)`,
])
