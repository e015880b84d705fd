import { followerChecks, type SourcedSetting } from '@specboard/domain'
import { keepFilesPrivate } from '@specboard/storage'
import { clientFindings } from './client-findings.ts'
import { credentialFindings } from './credential-findings.ts'
import { databaseFindings } from './database-findings.ts'
import { archivingFindings, eventFindings } from './event-findings.ts'
import { attachmentFindings, logFindings, rightsFindings } from './file-findings.ts'
import { type Finding, type Stake, type StakedFinding, sumOf, type Use, worstFirst } from './finding.ts'
import {
  backupFindings,
  clockFindings,
  folderFindings,
  foreignFindings,
  isServed,
  logSizeFindings,
  serverFinding,
} from './folder-findings.ts'
import { followerFindings } from './follower-findings.ts'
import { printJson } from './frame/output.ts'
import { phaseBars } from './frame/progress.ts'
import { type Target, targetOf } from './frame/target.ts'
import { idFindings } from './id-findings.ts'
import { issuerFindings } from './issuer-findings.ts'
import { nodeFindings, nodesOf } from './node-findings.ts'
import { mailFinding, peopleFindings } from './people-findings.ts'
import { reachFindings } from './reach-findings.ts'
import { replicaFindings } from './replica-findings.ts'
import { rowFindings } from './row-findings.ts'
import { runtimeSettingsOf } from './runtime-setting-findings.ts'
import { schemaFindings } from './schema-findings.ts'
import { secretFindings } from './secret-findings.ts'
import { serverFindings } from './server-findings.ts'
import { type SettingSource, variableOf } from './setting-sources.ts'
import { settingTable } from './setting-table.ts'
import { placeOf, type Settings, settingNames } from './settings.ts'
import { variableFindings } from './unknown-variables.ts'
import { version } from './version.ts'

/** The flags of `specboard doctor`. */
export interface DoctorFlags {
  /** Narrows permissions that are too wide and rebuilds derived data. */
  readonly fix?: boolean
  readonly json?: boolean
  /** An address to which one test mail is sent (people 7.3). */
  readonly mail?: string
}

/** A setting in effect, as it is printed: without secrets. */
interface ShownSetting {
  readonly name: string
  readonly value: string
  readonly source: SettingSource | SourcedSetting['source']
}

function shownSettings(
  settings: Settings,
  runtime: readonly SourcedSetting[],
  sourceOf: (name: string) => SettingSource,
): ShownSetting[] {
  const valueText = (name: (typeof settingNames)[number]) => {
    const value = settings[name]
    const setting = settingTable[name]
    if (setting.secret) return value === undefined ? '(not set)' : '(set)'
    if (value === undefined) return ''
    return 'shown' in setting ? setting.shown(String(value)) : String(value)
  }
  return [
    ...settingNames.map(name => ({ name: variableOf(name), value: valueText(name), source: sourceOf(name) })),
    ...runtime.map(({ key, value, source }) => ({
      name: `SPECBOARD_${key.toUpperCase()}`,
      value: String(value),
      source,
    })),
  ]
}

/** The service that verbs would use here. */
const targetHere = (): Target => targetOf(process.env, process.cwd())

/** A check of doctor, and what is at stake. */
interface Check {
  readonly stake: Stake
  readonly look: (endBar: () => void) => readonly Finding[] | Promise<readonly Finding[]>
}

const check = (stake: Stake, look: Check['look']): Check => ({ stake, look })

const staked = (stake: Stake, findings: readonly Finding[]): StakedFinding[] =>
  findings.map(finding => ({ stake, ...finding }))

/** The options of doctor. */
interface Looking {
  readonly fix: boolean
  /** Whether the data folder was set explicitly: then it should exist. */
  readonly isFolderNamed: boolean
}

/** All checks, in the order in which they may run: the log before anything opens the database. */
const allFindings = (settings: Settings, looking: Looking): Promise<StakedFinding[]> =>
  settings.databaseUrl === undefined
    ? embeddedFindings(settings, looking)
    : sharedFindings(settings, settings.databaseUrl, looking)

async function embeddedFindings(settings: Settings, { fix, isFolderNamed }: Looking): Promise<StakedFinding[]> {
  const folder = settings.dataDir
  const serviceFindings = [...folderFindings(folder, isFolderNamed), serverFinding(folder)]
  const use = { fix, served: isServed(serviceFindings) }
  const storageFindings = await inTurn([
    check('safety', () => rightsFindings(folder, fix)),
    check('setup', () => foreignFindings(folder)),
    check('records', () => logFindings(folder, use.served)),
    check('service', () => logSizeFindings(folder)),
    check('records', () => databaseFindings(folder, use)),
  ])
  // A database that cannot be read is reported only once.
  const isRead = storageFindings.every(({ name, ok }) => name !== 'database' || ok)
  return [
    ...staked('service', serviceFindings),
    ...storageFindings,
    ...(await inTurn([
      ...(isRead ? contentChecks(settings, use) : []),
      check('service', () => secretFindings(settings)),
      check('safety', () => backupFindings(folder, settings, Date.now())),
      check('service', () => reachFindings(settings, { served: use.served, target: targetHere() })),
      check('service', () => clockFindings(placeOf(settings), Date.now())),
      check('setup', () => peopleFindings(settings)),
    ])),
  ]
}

async function sharedFindings(
  settings: Settings,
  url: string,
  { fix, isFolderNamed }: Looking,
): Promise<StakedFinding[]> {
  const folder = settings.dataDir
  const { findings, nodes } = await serverFindings(url, {
    isNotified: settings.announcements !== 'poll',
    pool: settings.databasePool,
  })
  const isReached = findings.every(({ name, ok }) => name !== 'PostgreSQL' || ok)
  const nodeList = isReached ? await nodesOf(placeOf(settings)) : []
  const serviceFindings = [...folderFindings(folder, isFolderNamed), ...findings]
  return [
    ...staked('service', serviceFindings),
    ...(await inTurn([
      check('safety', () => rightsFindings(folder, fix)),
      check('setup', () => foreignFindings(folder)),
      check('service', () => nodeFindings(nodeList)),
      ...(isReached ? [check('service', () => replicaFindings(url, settings.databaseReadUrl))] : []),
      ...(isReached ? contentChecks(settings, { fix, served: nodes > 0 }) : []),
      // A node on another machine may be the one that serves.
      check('service', () =>
        reachFindings(settings, { served: false, target: targetHere(), nodePorts: nodeList.map(({ port }) => port) }),
      ),
      ...(isReached
        ? [
            check('service', () => secretFindings(settings)),
            check('service', () => clockFindings(placeOf(settings), Date.now())),
            check('setup', () => peopleFindings(settings)),
          ]
        : []),
    ])),
  ]
}

/**
 * The checks of contents, for both databases. The check of the schema comes first, because the others depend on its
 * triggers.
 */
function contentChecks(settings: Settings, use: Use): readonly Check[] {
  const place = placeOf(settings)
  return [
    check('derived', () => schemaFindings(place, use)),
    check('records', () => eventFindings(place)),
    check('safety', () => archivingFindings(settings, Date.now())),
    check('records', () => rowFindings(place)),
    check('setup', () => idFindings(place)),
    ...followerChecks.map(follower => check(follower.stake, () => followerFindings(settings, use, follower))),
    check('setup', () => issuerFindings(place, settings.oidcJwksFile, targetHere())),
    check('records', endBar => {
      // Hashing the files has a separate progress bar.
      endBar()
      return attachmentFindings(settings)
    }),
  ]
}

/** Runs one check after the other, with a bar. */
async function inTurn(checks: readonly Check[]): Promise<StakedFinding[]> {
  const bars = phaseBars({ checks: 'checks' })
  const findings: StakedFinding[] = []
  for (const [index, { stake, look }] of checks.entries()) {
    bars.show('checks', index, checks.length)
    findings.push(...staked(stake, await look(bars.end)))
  }
  bars.end()
  return findings
}

/**
 * `specboard doctor`: prints its findings, the worst first, the settings in effect and a summary; exit code 1 if something
 * is wrong (exchange 3).
 */
export async function doctor(
  settings: Settings,
  { fix = false, json = false, mail }: DoctorFlags,
  sourceOf: (name: string) => SettingSource,
): Promise<number> {
  keepFilesPrivate()
  const results = await allFindings(settings, { fix, isFolderNamed: sourceOf('dataDir') !== 'default' })
  if (mail !== undefined) results.push(...staked('setup', [await mailFinding(settings, mail)]))
  // After the findings, which check the log before anything opens the database.
  const runtime = await runtimeSettingsOf(settings)
  const settingRows = shownSettings(settings, runtime.settings, sourceOf)
  const ofSettings = [
    ...credentialFindings(process.env, process.cwd(), targetHere()),
    ...clientFindings(process.env),
    ...runtime.findings,
    ...(await variableFindings(process.env)),
  ]
  const findings = worstFirst([...results, ...staked('setup', ofSettings)])
  const ok = findings.every(finding => finding.ok)
  const sum = sumOf(findings)
  if (json)
    printJson({ version, node: process.versions.node, ok, settings: settingRows, findings: findings.map(plain), sum })
  else {
    console.log(`specboard ${version}, Node ${process.versions.node}`)
    for (const finding of findings) console.log(`${finding.ok ? 'ok  ' : 'BAD '} ${finding.name}: ${finding.says}`)
    for (const { name, value, source } of settingRows) console.log(`  ${name.padEnd(34)} ${value} (${source})`)
    console.log(sum)
  }
  return ok ? 0 : 1
}

const plain = ({ name, ok, says }: Finding): Finding => ({ name, ok, says })
