import { statements } from './statements.ts'

/**
 * What a principal is, and by what an actor came. The `Local Owner` is a person, every other one an agent, and
 * what they did before says `agent`.
 */
export const texts = [
  `alter table agents add column kind text not null default 'agent'`,
  `update agents set kind = 'person' where created_by = id`,
  `alter table events add column actor_type text not null default 'agent'`,
  `alter table events add column actor_via text`,
  `alter table audit add column actor_type text not null default 'agent'`,
  `alter table audit add column actor_via text`,
  `alter table audit add column details text`,
]

export const migration = statements(texts)
