import { statements } from './statements.ts'

/** The indexes by which statements find what hangs on a record, or is done about it. */
const byRecord = [
  'architecture_designs_changed',
  'architecture_designs_parent',
  'attachments_card',
  'card_dependencies_card',
  'card_dependencies_depends_on',
  'cards_spec',
  'cards_sprint',
  'change_links_entity',
  'comments_card',
  'events_card',
  'external_ids_entity',
  'knowledge_owner',
  'mentions_on',
  'questions_owner',
  'refinements_below',
  'refinements_ideation',
  'spec_validations_spec',
  'specs_ideation',
  'specs_refinement',
  'sprints_spec',
  'sprints_spec_changed',
  'task_validations_card',
]

/**
 * Adds the board to these indexes. Statements name it with the record; the planner took both conditions for independent
 * of one another, so that for each record of a page it also read what the index of boards holds of the whole board.
 */
export const migration = statements([
  `do $board$
    declare
      each record;
    begin
      for each in select i.relname as name, pg_get_indexdef(i.oid) as definition from pg_class i
        where i.relnamespace = current_schema()::regnamespace
          and i.relname in (${byRecord.map(name => `'${name}'`).join(', ')})
      loop
        execute format('drop index %I', each.name);
        execute regexp_replace(each.definition, '(USING btree \\([^()]*)\\)', '\\1, board_id)');
      end loop;
    end $board$`,
])
