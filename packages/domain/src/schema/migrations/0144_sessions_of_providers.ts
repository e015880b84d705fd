import { statements } from './statements.ts'

/** A provider's names for a session and its account, with which it can end the session from its side (people 2.4). */
export const texts = [
  `alter table web_sessions add column provider_subject text`,
  `alter table web_sessions add column provider_sid text`,
  `create index web_sessions_provider_subject on web_sessions (provider_subject) where provider_subject is not null`,
  `create index web_sessions_provider_sid on web_sessions (provider_sid) where provider_sid is not null`,
]

export const migration = statements(texts)
