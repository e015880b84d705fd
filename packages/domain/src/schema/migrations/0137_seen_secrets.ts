import { statements } from './statements.ts'

/** Who was shown the secrets of forges, so that nobody confirms their own work with one (git 6). */
export const texts = [
  `alter table repositories add column secret_seen_by text`,
  `alter table forge_deliveries add column seen_by text`,
  `alter table changes add column seen_by text`,
  `alter table change_checks add column seen_by text`,
]

export const migration = statements(texts)
