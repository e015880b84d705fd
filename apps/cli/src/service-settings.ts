/** The options of the service's parts, from the settings of the process. */
import { type BackupSettings, type KnowledgeGraphSettings, timeOfDay } from '@specboard/domain'
import { SettingError } from './setting-sources.ts'
import type { Settings } from './settings.ts'

/**
 * The settings of the knowledge graph.
 * @throws SettingError for an embeddings endpoint without model or dimension
 */
export function graphSettings(settings: Settings): KnowledgeGraphSettings {
  const { kgEmbeddingUrl: url, kgEmbeddingModel: model, kgEmbeddingDim: dimension } = settings
  if (url !== undefined && (model === undefined || dimension === undefined))
    throw new SettingError(
      'SPECBOARD_KG_EMBEDDING_URL needs SPECBOARD_KG_EMBEDDING_MODEL and SPECBOARD_KG_EMBEDDING_DIM.',
    )
  return {
    ...(url !== undefined && {
      embedding: { url, model: model!, dimension: dimension!, apiKey: settings.kgEmbeddingApiKey },
    }),
    cypherPerMinute: settings.kgCypherRatePerMin,
    withTraces: settings.logLevel === 'debug' || settings.logLevel === 'trace',
  }
}

/** How long a statement may run and wait for a lock. */
export const databaseLimits = ({ databaseStatementSeconds = 60, databaseLockSeconds = 20 }: Settings) => ({
  statementMs: databaseStatementSeconds * 1_000,
  lockMs: databaseLockSeconds * 1_000,
})

/** Who may sign in, and with what. */
export const signInRules = ({ agentSignIn = 'auto', keySignIn = 'on', mailSignIn = 'off' }: Settings) => ({
  agents: agentSignIn,
  keys: keySignIn,
  mail: mailSignIn,
})

/** How long sessions of browsers last. */
export const sessionLife = ({ sessionIdleHours = 12, sessionMaxDays = 30 }: Settings) => ({
  idleMs: sessionIdleHours * hour,
  maxMs: sessionMaxDays * 24 * hour,
})

const hour = 3_600_000

/** Where and how often the service backs itself up; undefined if it does not. */
export const backupSettings = ({
  backupDir,
  backupEvery,
  backupAt,
  backupKeep,
}: Settings): BackupSettings | undefined =>
  backupDir === undefined
    ? undefined
    : { into: backupDir, everyMs: backupEvery * hour, at: timeOfDay(backupAt), keep: backupKeep }
