import { statements } from './statements.ts'

/** The last entry by which a spec became `validated`; its status stands first in a move and second in a creation. */
const lastValidated = `(select max(e.id) from events e
  where e.entity_type = 'spec' and e.entity_id = specs.id and (
    e.history_action = 'status_changed' and json_extract(e.changes, '$[0].new') = 'validated'
    or e.history_action = 'created' and json_extract(e.changes, '$[1].new') = 'validated'))`

const changedSince = `(select json_group_array(field) from (
  select distinct json_extract(change.value, '$.field') as field
  from events e, json_each(e.changes) change
  where e.entity_type = 'spec' and e.entity_id = specs.id and e.history_action = 'updated'
    and e.id > ${lastValidated} and field not in ('assignee_id', 'labels')
  order by field))`

/** The entry of the same card before an entry of the event log. */
const entryBefore = '(select max(b.id) from events b where b.card_id = events.card_id and b.id < events.id)'

/**
 * What changed in a spec since it was last validated, from its history (a locked one has changed in nothing); and on
 * the moves that a task validation made by itself the id of that validation, whose entry stands
 * right before. Custom presets do not hold the new permissions.
 */
export const migration = statements([
  `alter table specs add column changed_since_validated text`,
  `update specs set changed_since_validated = case
      when exists (select 1 from spec_validations v where v.id = specs.current_validation_id and v.outcome = 'success')
        then '[]'
      when ${lastValidated} is not null then ${changedSince}
    end`,
  `update events set domain = json_set(domain, '$[0].validation_id', (
      select json_extract(v.details, '$.validation_id') from events v where v.id = ${entryBefore}))
    where action = 'card_moved' and json_extract(details, '$.to_status') = 'done' and exists (
      select 1 from events v where v.id = ${entryBefore} and v.action = 'validation_submitted'
        and v.actor_id = events.actor_id and v.created_at = events.created_at)`,
  `update presets set flags = json_set(flags,
      '$.SPECS_RECORD_RESULTS', json('false'), '$.SPECS_LINK_ITEMS', json('false')), revision = revision + 1 where is_builtin = 0`,
])

/** What the log says when the migration has run on existing data. */
export const note = 'custom presets do not hold SPECS_RECORD_RESULTS and SPECS_LINK_ITEMS until they are updated'
