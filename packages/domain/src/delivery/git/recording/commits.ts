/** Records reported commits, and links them to what their messages name (git 3, 4). */
import { toJson } from '../../../lib/json.ts'
import type { ChangeContent } from '../../../schema/contents.ts'
import type { ChangesTable } from '../../../schema/tables.ts'
import { isOfBoard, maxPaths } from '../own-part.ts'
import { coAuthorsOf, mentionsOfCommit } from '../recognition.ts'
import type { ReportedCommit } from '../reported.ts'
import { contentOf } from '../store.ts'
import { noRequest, type Recorder } from './recorder.ts'

const noAddress = '[REDACTED]'

/**
 * Records a reported commit.
 * @param isSeen whether the report does not also say that the commit is gone
 */
export async function recordCommit(recorder: Recorder, reported: ReportedCommit, isSeen: boolean): Promise<void> {
  await recorder.step()
  const { report } = recorder
  const present = await recorder.find(reported.sha)
  if (present === undefined) {
    const commit = await insertCommit(recorder, reported)
    recorder.created.push(commit)
    report.created++
    await recognise(recorder, commit, reported)
    return
  }
  const changed = changesOf(recorder, present, reported, isSeen)
  if (Object.keys(changed).length === 0) {
    report.unchanged++
    return
  }
  report.updated++
  await recognise(recorder, await recorder.change(present, changed), reported)
}

const insertCommit = (recorder: Recorder, reported: ReportedCommit): Promise<ChangesTable> =>
  recorder.insert({
    kind: 'commit',
    key: reported.sha,
    state: 'open',
    ...reportedColumns(reported),
    confirmed_by: recorder.source,
    seen_by: recorder.seenBy,
    is_external: 0,
    is_linked: 0,
    is_bare: 0,
    ...noRequest,
    content: toJson(reportedContent(reported)),
    happened_at: reported.committed_at ?? reported.authored_at ?? recorder.ctx.now(),
  })

/** The columns of a recorded commit that a report changes. */
function changesOf(
  recorder: Recorder,
  present: ChangesTable,
  reported: ReportedCommit,
  isSeen: boolean,
): Partial<ChangesTable> {
  const better = recorder.knowsBetter(present)
  return {
    ...lackingOf(present, reportedColumns(reported), reportedContent(reported)),
    // It is known in full again.
    ...(present.is_bare === 1 && { is_bare: 0 as const }),
    ...(better && { confirmed_by: recorder.source }),
    // If it is merged, whoever reported that is recorded already.
    ...(better && present.state !== 'merged' && { seen_by: recorder.seenBy }),
    // A report from a file proves nothing: that it is merged is reported again (git 11).
    ...(present.confirmed_by === null && present.state === 'merged' && { state: 'open' as const }),
    ...(isSeen && present.state === 'vanished' && { state: 'open' as const }),
  }
}

/** Links a commit to the records that its message names (git 4). */
async function recognise(recorder: Recorder, commit: ChangesTable, reported: ReportedCommit): Promise<void> {
  if (!isOfBoard(recorder.repository.path_prefix, reported.paths)) return
  const { body } = contentOf(commit)
  const message = body === undefined || body === null || body === '' ? commit.title : `${commit.title}\n\n${body}`
  const excess = await recorder.linker.link(
    commit,
    mentionsOfCommit(message, recorder.places, recorder.ctx.environment.publicUrl),
  )
  if (excess > 0)
    recorder.report.problems.push({ sha: commit.key, reason: `It names ${excess} records over the limit of 20.` })
}

/** The columns of a reported commit that a later report may fill. */
type ReportedColumns = Pick<
  ChangesTable,
  'title' | 'author_name' | 'author_email' | 'author_login' | 'files_changed' | 'additions' | 'deletions' | 'patch_id'
>

function reportedColumns(reported: ReportedCommit): ReportedColumns {
  const email = reported.author_email ?? null
  return {
    title: reported.subject ?? '',
    author_name: reported.author_name ?? null,
    author_email: email === noAddress ? null : (email?.toLowerCase() ?? null),
    author_login: reported.author_login ?? null,
    files_changed: reported.files_changed ?? null,
    additions: reported.additions ?? null,
    deletions: reported.deletions ?? null,
    patch_id: reported.patch_id ?? null,
  }
}

/** The contents of a reported commit besides its columns. */
function reportedContent(reported: ReportedCommit): ChangeContent {
  const body = reported.body ?? null
  const others = body === null ? [] : coAuthorsOf(`${reported.subject ?? ''}\n\n${body}`)
  return {
    ...(body !== null && { body }),
    ...(reported.tree !== undefined && reported.tree !== null && { tree: reported.tree }),
    ...(reported.parents !== undefined && { parents: reported.parents }),
    ...(reported.paths !== undefined && reported.paths !== null && { paths: reported.paths.slice(0, maxPaths) }),
    ...(reported.authored_at !== undefined && reported.authored_at !== null && { authored_at: reported.authored_at }),
    ...(reported.committed_at !== undefined &&
      reported.committed_at !== null && { committed_at: reported.committed_at }),
    ...(others.length > 0 && { co_authors: others }),
  }
}

/** The members that a stored commit lacks and that are reported now. */
function lackingOf(present: ChangesTable, columns: ReportedColumns, reported: ChangeContent): Partial<ChangesTable> {
  const lacking = Object.entries(columns).filter(([name, value]) => {
    const own = present[name as keyof ReportedColumns]
    return (own === null || own === '') && value !== null && value !== ''
  })
  const content = contentOf(present)
  const more = Object.entries(reported).filter(([name]) => (content[name as keyof ChangeContent] ?? null) === null)
  return {
    ...(Object.fromEntries(lacking) as Partial<ChangesTable>),
    ...(more.length > 0 && { content: toJson({ ...content, ...Object.fromEntries(more) }) }),
  }
}
