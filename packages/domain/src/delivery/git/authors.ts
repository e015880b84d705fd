/** The agents that authors of commits correspond to (git 8). Used for display and filters; it proves nothing. */
import type { features } from '@specboard/contract'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { type Paging, pageOf } from '../../kernel/page.ts'
import { byCodePoint } from '../../lib/text-order.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import type { AgentsTable, ChangeAuthorsTable } from '../../schema/tables.ts'
import { repositoriesOf } from './repositories.ts'

type Git = typeof features.git

/** An agent that authors and names may refer to. */
export type Agent = Pick<AgentsTable, 'id' | 'name' | 'kind' | 'handle' | 'is_active'>

/** What identifies an author, regardless of the name in a change. */
interface Identity {
  readonly email: string | null
  readonly login: string | null
}

/** How a change identifies its author. */
export interface Signature extends Identity {
  readonly name: string | null
}

/** The agents that see a board directly. */
export const agentsOfBoard = hot<{ board: string }, Agent>(
  (_, param) =>
    sql<Agent>`select a.id, a.name, a.kind, a.handle, a.is_active from agents a where a.deleted_at is null and a.id in (
      select owner_id from boards where id = ${param('board')}
      union all select agent_id from grants where board_id = ${param('board')}
      union all select user_id from shares where board_id = ${param('board')})`,
)

const setOfBoard = hot<{ board: string }, ChangeAuthorsTable>((db, param) =>
  db.selectFrom('change_authors').selectAll().where('board_id', '=', param('board')).orderBy('position'),
)

const ownDomain = '@specboard'

/** Whether an assignment made by hand is about an author: whoever has its e-mail or its login. */
const isMeant = (set: Identity, { email, login }: Identity): boolean =>
  (set.email !== null && set.email === email) || (set.login !== null && set.login === login)

/** Finds the agents for authors. */
export class Authors {
  readonly #agents: ReadonlyMap<string, Agent>
  readonly #byName: ReadonlyMap<string, Agent>
  /** The assignments made by hand, in their order. */
  readonly set: readonly ChangeAuthorsTable[]

  private constructor(agents: readonly Agent[], set: readonly ChangeAuthorsTable[]) {
    this.#agents = new Map(agents.map(agent => [agent.id, agent]))
    this.#byName = new Map(agents.map(agent => [agent.name, agent]))
    this.set = set
  }

  static async of(db: Db, board: string): Promise<Authors> {
    return new Authors(await agentsOfBoard(db, { board }), await setOfBoard(db, { board }))
  }

  /** Whether an agent sees the board. */
  sees(agent: string): boolean {
    return this.#agents.has(agent)
  }

  /** The names by which cards may reference an agent as their assignee. */
  named(agent: string): readonly string[] {
    return [agent, this.#agents.get(agent)?.name ?? agent]
  }

  /** The agent that an author corresponds to, the reason, and the only repository in which it does. */
  find({ email, login }: Identity, repository?: string) {
    const set = this.set.find(
      each => (each.repository_id === null || each.repository_id === repository) && isMeant(each, { email, login }),
    )
    if (set !== undefined)
      return {
        agent: this.#agents.get(set.agent_id ?? ''),
        source: 'set' as const,
        repository_id: set.repository_id,
      }
    const own = email?.endsWith(ownDomain) ? email.slice(0, -ownDomain.length) : ''
    const agent = this.#agents.get(own) ?? (login === null ? undefined : this.#byName.get(login))
    return { agent, source: agent === undefined ? ('none' as const) : ('agent' as const), repository_id: null }
  }

  /** An author as shown with a change. */
  shown(signature: Signature, repository: string) {
    const { agent } = this.find(signature, repository)
    return { ...signature, agent_id: agent?.id ?? null, agent_name: agent?.name ?? null }
  }
}

interface AuthorCount {
  repository_id: string | null
  name: string | null
  email: string | null
  login: string | null
  commits: number
  last_at: string
}

/** Whether some authors are assigned for one repository only, so that each repository is handled separately. */
const isByRepository = ({ set }: Pick<Authors, 'set'>): boolean => set.some(each => each.repository_id !== null)

interface AuthorKey extends Identity {
  readonly repository_id: string | null
}

/** How the changes of a board identify their authors, of every kind: a pull request may have only a login. */
export function signaturesOf(db: Db, board: string, authors: Pick<Authors, 'set'>): Promise<AuthorKey[]> {
  const signatures = db
    .selectFrom('changes')
    .select(['kind', 'author_email as email', 'author_login as login'])
    .distinct()
    .where('board_id', '=', board)
  return isByRepository(authors)
    ? signatures.select('repository_id').execute()
    : signatures.select(sql<null>`null`.as('repository_id')).execute()
}

/**
 * The authors of the commits of a board: by repository if any author is assigned for one repository only, otherwise for
 * all repositories together.
 */
function commitsByAuthor(db: Db, board: string, authors: Pick<Authors, 'set'>): Promise<AuthorCount[]> {
  const commits = db
    .selectFrom('changes')
    .select(({ fn }) => [
      'author_email as email',
      'author_login as login',
      fn.max<string | null>('author_name').as('name'),
      fn.countAll<number>().as('commits'),
      fn.max<string>('happened_at').as('last_at'),
    ])
    .where('board_id', '=', board)
    .where('kind', '=', sql.lit('commit'))
    .groupBy(['author_email', 'author_login'])
  return isByRepository(authors)
    ? commits.select('repository_id').groupBy('repository_id').execute()
    : commits.select(sql<null>`null`.as('repository_id')).execute()
}

/** An author in a list; limited to one repository if it was assigned for that one. */
interface AuthorEntry {
  readonly repository_id: string | null
  readonly name: string | null
  readonly email: string | null
  readonly login: string | null
  readonly commits: number
  readonly last_at: string | null
}

const greater = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one

/** The authors of commits: counted over all repositories, except for those that are assigned for one repository. */
function countedBy(authors: Authors, signatures: readonly AuthorCount[]): AuthorEntry[] {
  const found = new Map<string, AuthorEntry>()
  for (const { repository_id, commits, ...signature } of signatures) {
    const { email, login } = signature
    if (email === null && login === null) continue
    const assigned = authors.find(signature, repository_id ?? undefined).repository_id
    const key = JSON.stringify([assigned, email, login])
    const before = found.get(key)
    found.set(key, {
      ...signature,
      repository_id: assigned,
      name: greater(before?.name ?? null, signature.name),
      commits: (before?.commits ?? 0) + Number(commits),
      last_at: greater(before?.last_at ?? null, signature.last_at),
    })
  }
  return [...found]
    .toSorted(
      ([key, one], [otherKey, other]) => byCodePoint(other.last_at!, one.last_at!) || byCodePoint(key, otherKey),
    )
    .map(([, author]) => author)
}

/** The authors on a board, most recent first, followed by those that are only assigned by hand. */
async function authorsOf(db: Db, board: string, paging: Paging = {}) {
  const authors = await Authors.of(db, board)
  const counted = countedBy(authors, await commitsByAuthor(db, board, authors))
  const silent = authors.set.filter(
    each => !counted.some(author => author.repository_id === each.repository_id && isMeant(each, author)),
  )
  const all: readonly AuthorEntry[] = [
    ...counted,
    ...silent.map(({ repository_id, email, login }) => ({
      ...{ repository_id, email, login },
      ...{ name: null, commits: 0, last_at: null },
    })),
  ]
  const { items, total } = pageOf(all, paging)
  const entries = items.map(({ repository_id, email, login, name, commits, last_at }) => {
    const { agent, source } = authors.find({ email, login }, repository_id ?? undefined)
    const found = { agent_id: agent?.id ?? null, agent_name: agent?.name ?? null, source }
    return { repository_id, email, login, name, ...found, commits, last_at }
  })
  return { items: entries, total }
}

/** list_authors (git 8). */
export const listAuthors: Implementation<Git['list_authors']> = ({ query }, ctx) =>
  authorsOf(ctx.db, ctx.boardId, query)

/** put_authors (git 8): replaces the assignments made by hand. */
export const putAuthors: Implementation<Git['put_authors']> = async ({ body }, ctx) => {
  await checkAuthors(ctx, body.authors)
  await ctx.db.deleteFrom('change_authors').where('board_id', '=', ctx.boardId).execute()
  for (const [position, { email, login, repository_id, agent_id }] of body.authors.entries())
    await insertRow(ctx.db, 'change_authors', {
      id: ctx.newId(),
      board_id: ctx.boardId,
      repository_id: repository_id ?? null,
      email: email?.toLowerCase() ?? null,
      login: login ?? null,
      agent_id,
      position,
    })
  await ctx.record({
    boardId: ctx.boardId,
    entity: { type: 'board', id: ctx.boardId },
    activity: { action: 'authors_updated', details: { authors: body.authors.length } },
  })
  return authorsOf(ctx.db, ctx.boardId)
}

interface SentAuthor {
  readonly email?: string | null
  readonly login?: string | null
  readonly repository_id?: string | null
  readonly agent_id: string | null
}

/** @throws DomainError VALIDATION_ERROR */
async function checkAuthors(ctx: Context, assignments: readonly SentAuthor[]): Promise<void> {
  const authors = await Authors.of(ctx.db, ctx.boardId)
  const repositories = await repositoriesOf(ctx.db, ctx.boardId)
  for (const { email, login, repository_id, agent_id } of assignments) {
    if (agent_id !== null && !authors.sees(agent_id))
      throw invalid('agent_id', `No agent ${agent_id} sees this board. list_board_members names those that do.`)
    if (repository_id !== undefined && repository_id !== null && !repositories.some(({ id }) => id === repository_id))
      throw invalid('repository_id', `The board has no repository ${repository_id}. list_repositories names them.`)
    if (email == null && login == null)
      throw invalid('email', 'An author is known by an email or a login: send at least one of the two.')
  }
}
