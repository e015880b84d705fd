import { statements } from './statements.ts'

/** How often an agent was disabled, which ends its sessions for good (walls 8). */
export const texts = [`alter table agents add column session_generation bigint not null default 0`]

export const migration = statements(texts)
