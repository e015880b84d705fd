import type { Migration } from 'kysely/migration'
import { migration as baseline } from './0131_baseline.ts'
import { migration as partNumbers } from './0132_part_numbers.ts'
import { migration as ciSessions } from './0133_ci_sessions.ts'
import { migration as clientSessions } from './0134_client_sessions.ts'
import { migration as doneTiers } from './0135_done_tiers.ts'
import { migration as connectionEnds } from './0136_connection_ends.ts'
import { migration as seenSecrets } from './0137_seen_secrets.ts'
import { migration as morePartNumbers } from './0138_more_part_numbers.ts'
import { migration as verifiedAddresses } from './0139_verified_addresses.ts'
import { migration as savedViews } from './0140_saved_views.ts'
import { migration as reservedRepositories } from './0141_reserved_repositories.ts'
import { migration as importedEvidence } from './0142_imported_evidence.ts'
import { migration as eventArchives } from './0143_event_archives.ts'
import { migration as sessionsOfProviders } from './0144_sessions_of_providers.ts'
import { migration as externalKinds } from './0145_external_kinds.ts'
import { migration as importedDoneTiers } from './0146_imported_done_tiers.ts'
import { migration as bareCommits } from './0147_bare_commits.ts'
import { migration as inboxMarks } from './0148_inbox_marks.ts'
import { migration as templates } from './0149_templates.ts'
import { migration as importedNames } from './0150_imported_names.ts'

/** Every migration, by name; they run in the text order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0131_baseline': baseline,
  '0132_part_numbers': partNumbers,
  '0133_ci_sessions': ciSessions,
  '0134_client_sessions': clientSessions,
  '0135_done_tiers': doneTiers,
  '0136_connection_ends': connectionEnds,
  '0137_seen_secrets': seenSecrets,
  '0138_more_part_numbers': morePartNumbers,
  '0139_verified_addresses': verifiedAddresses,
  '0140_saved_views': savedViews,
  '0141_reserved_repositories': reservedRepositories,
  '0142_imported_evidence': importedEvidence,
  '0143_event_archives': eventArchives,
  '0144_sessions_of_providers': sessionsOfProviders,
  '0145_external_kinds': externalKinds,
  '0146_imported_done_tiers': importedDoneTiers,
  '0147_bare_commits': bareCommits,
  '0148_inbox_marks': inboxMarks,
  '0149_templates': templates,
  '0150_imported_names': importedNames,
}

/** What migrations decided for existing data, by name: the log reports it when one has run. */
export const migrationNotes: Readonly<Record<string, string>> = {}
