import { statements } from './statements.ts'

/** The entries that tell of changed own fields: by the action in a history, or of cards in their activity. */
const changing = {
  ideations: ['ideation', 'history_action', ['created', 'updated', 'status_changed', 'complexity_evaluated']],
  refinements: ['refinement', 'history_action', ['created', 'updated', 'status_changed']],
  specs: ['spec', 'history_action', ['created', 'updated', 'status_changed', 'task_linked', 'task_unlinked']],
  sprints: ['sprint', 'history_action', ['created', 'updated', 'status_changed']],
  cards: ['card', 'action', ['card_created', 'card_updated', 'card_moved']],
} as const

/** Every change of these has raised their version. */
export const versioned = ['guidelines', 'architecture_designs']

/** Counts the entries that changed own fields of the records of a table, of some entries: `from` and `to` name them. */
export const counts = Object.entries(changing).map(([table, [type, column, actions]]) => ({
  from: `update ${table} set rev = counted.entries
    from (select entity_id, count(*) as entries from events
      where entity_type = '${type}' and ${column} in (${actions.map(action => `'${action}'`).join(', ')})`,
  to: `group by entity_id) counted where counted.entity_id = ${table}.id`,
}))

/**
 * How often the own fields of a record have changed (crew 12): the number of entries that changed them, at least 1. An
 * entry tells the `rev` of its record from now on; those that exist are counted when they are read.
 */
export const texts = [
  ...[...Object.keys(changing), ...versioned].map(
    table => `alter table ${table} add column rev bigint not null default 1`,
  ),
  'alter table events add column rev bigint',
  ...counts.map(({ from, to }) => `${from} ${to}`),
  ...versioned.map(table => `update ${table} set rev = version where version > 1`),
]

export const migration = statements(texts)
