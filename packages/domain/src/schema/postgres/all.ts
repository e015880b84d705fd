import type { Migration } from 'kysely/migration'
import { texts as ciSessions } from '../migrations/0133_ci_sessions.ts'
import { texts as clientSessions } from '../migrations/0134_client_sessions.ts'
import { texts as doneTiers } from '../migrations/0135_done_tiers.ts'
import { texts as connectionEnds } from '../migrations/0136_connection_ends.ts'
import { texts as seenSecrets } from '../migrations/0137_seen_secrets.ts'
import { texts as morePartNumbers } from '../migrations/0138_more_part_numbers.ts'
import { texts as verifiedAddresses } from '../migrations/0139_verified_addresses.ts'
import { texts as savedViews } from '../migrations/0140_saved_views.ts'
import { texts as reservedRepositories } from '../migrations/0141_reserved_repositories.ts'
import { texts as importedEvidence } from '../migrations/0142_imported_evidence.ts'
import { texts as eventArchives } from '../migrations/0143_event_archives.ts'
import { texts as sessionsOfProviders } from '../migrations/0144_sessions_of_providers.ts'
import { texts as externalKinds } from '../migrations/0145_external_kinds.ts'
import { texts as importedDoneTiers } from '../migrations/0146_imported_done_tiers.ts'
import { texts as bareCommits } from '../migrations/0147_bare_commits.ts'
import { texts as inboxMarks } from '../migrations/0148_inbox_marks.ts'
import { texts as templates } from '../migrations/0149_templates.ts'
import { texts as importedNames } from '../migrations/0150_imported_names.ts'
import { migration as baseline } from './0131_baseline.ts'
import { migration as partNumbers } from './0132_part_numbers.ts'
import { migration as keysByBoard } from './0151_keys_by_board.ts'
import { migration as boardInIndexes } from './0152_board_in_indexes.ts'
import { statements } from './statements.ts'

/**
 * Every migration of PostgreSQL, by name; they run in the text order of their names. Statements that both databases
 * accept are written once.
 */
export const postgresMigrations: Readonly<Record<string, Migration>> = {
  '0131_baseline': baseline,
  '0132_part_numbers': partNumbers,
  '0133_ci_sessions': statements(ciSessions),
  '0134_client_sessions': statements(clientSessions),
  '0135_done_tiers': statements(doneTiers),
  '0136_connection_ends': statements(connectionEnds),
  '0137_seen_secrets': statements(seenSecrets),
  '0138_more_part_numbers': statements(morePartNumbers('json_array_length(knowledge_bases::json)')),
  '0139_verified_addresses': statements(verifiedAddresses),
  '0140_saved_views': statements(savedViews),
  '0141_reserved_repositories': statements(reservedRepositories),
  '0142_imported_evidence': statements(importedEvidence(`((content::jsonb ->> 'tree') collate "C")`)),
  '0143_event_archives': statements(eventArchives),
  '0144_sessions_of_providers': statements(sessionsOfProviders),
  '0145_external_kinds': statements(externalKinds),
  '0146_imported_done_tiers': statements(importedDoneTiers),
  '0147_bare_commits': statements(bareCommits),
  '0148_inbox_marks': statements(inboxMarks),
  '0149_templates': statements(templates),
  '0150_imported_names': statements(importedNames),
  '0151_keys_by_board': keysByBoard,
  '0152_board_in_indexes': boardInIndexes,
}
