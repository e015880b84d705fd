import { statements } from './statements.ts'

/** Who submitted a validation, and whether it was a present person (people 1.1, 1.3); of those before, an agent. */
export const texts = ['task_validations', 'spec_validations'].flatMap(table => [
  `alter table ${table} add column actor_type text not null default 'agent'`,
  `alter table ${table} add column actor_via text`,
  `alter table ${table} add column present bigint not null default 0`,
])

export const migration = statements(texts)
