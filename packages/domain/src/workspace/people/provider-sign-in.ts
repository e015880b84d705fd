/** Signing in with an account at an identity provider: whose account it is, and the result (people 2.3). */

import { recordAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Service } from '../../kernel/service/service.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { IdentitiesTable } from '../../schema/tables.ts'
import { derivedHandle } from '../agents/handles.ts'
import { newAgent } from '../agents/store.ts'
import { endConnectionsOf } from '../connections/store.ts'
import { findOwner } from '../seed.ts'
import { acceptIn, newcomer } from './invitations.ts'
import { followGroups, presetOf, UnknownPreset } from './provider-groups.ts'
import { type Account, givenBy, nameOf, type Refusal, refusalOf } from './providers/rules.ts'
import type { ProviderSettings } from './providers/settings.ts'
import { endAllSessions } from './web-sessions.ts'

/** What somebody wanted when they went to a provider. */
export interface SignInGoal {
  /** The person to link the account to. */
  readonly linkTo?: string | undefined
  /** The token of the invitation to accept. */
  readonly invitation?: string | undefined
}

/** Who is signed in; or why nobody is. */
export type SignedInBy = { readonly personId: string } | { readonly refusal: Refusal }

const byAccount = hot<{ issuer: string; subject: string }, IdentitiesTable>((db, param) =>
  db.selectFrom('identities').selectAll().where('issuer', '=', param('issuer')).where('subject', '=', param('subject')),
)

const byEmail = hot<{ email: string }, { id: string }>((db, param) =>
  db
    .selectFrom('agents')
    .select('id')
    .where(({ fn }) => fn('lower', ['email']), '=', param('email'))
    .where('kind', '=', 'person')
    .where('deleted_at', 'is', null)
    .limit(2),
)

/** How often the owner of an account is looked up again because another sign-in with it was faster. */
const attempts = 3

/** Another sign-in with the same account was faster. */
class Overtaken extends Error {}

/** Signs somebody in by an account at a provider. */
export async function signInByAccount(
  service: Service,
  provider: ProviderSettings,
  account: Account,
  goal: SignInGoal,
): Promise<SignedInBy> {
  for (let attempt = 1; ; attempt++)
    try {
      return await signedIn(service, provider, account, goal)
    } catch (error) {
      if (isGone(error)) return { refusal: 'expired' }
      if (error instanceof UnknownPreset) {
        service.environment.onFault(error)
        return { refusal: 'refused' }
      }
      if (!(error instanceof Overtaken) || attempt === attempts) throw error
    }
}

const isGone = (error: unknown): boolean => error instanceof DomainError && error.code === 'INVITATION_GONE'

async function signedIn(
  service: Service,
  provider: ProviderSettings,
  account: Account,
  goal: SignInGoal,
): Promise<SignedInBy> {
  const [identity] = await service.database.read(db => byAccount(db, account))
  const refusal = refusalOf(provider, account)
  if (identity !== undefined) return byKnown(service, { provider, account, goal, identity, refusal })
  if (refusal !== undefined) return { refusal }
  if (goal.linkTo !== undefined) return link(service, account, goal.linkTo)
  if (goal.invitation !== undefined) return invited(service, account, goal.invitation)
  const persons =
    provider.link_by_email && account.verified
      ? await service.database.read(db => byEmail(db, { email: account.email!.toLowerCase() }))
      : []
  const [person] = persons
  if (person !== undefined && persons.length === 1) return link(service, account, person.id, provider)
  return provider.create_persons ? created(service, provider, account) : { refusal: 'not_linked' }
}

/** The caller for a person who is signing in; undefined for one that is disabled or deleted. */
async function personBy(service: Service, id: string): Promise<Caller | undefined> {
  const agent = await service.agent(id)
  return agent?.caller.kind === 'person' ? { ...agent.caller, via: 'session', present: true } : undefined
}

interface KnownAccount {
  readonly provider: ProviderSettings
  readonly account: Account
  readonly goal: SignInGoal
  readonly identity: IdentitiesTable
  readonly refusal: Refusal | undefined
}

/** Signs in the person with the account. Somebody who no longer matches the lists is signed out everywhere. */
async function byKnown(
  service: Service,
  { provider, account, goal, identity, refusal }: KnownAccount,
): Promise<SignedInBy> {
  const person = await personBy(service, identity.person_id)
  if (person === undefined) return { refusal: 'disabled' }
  if (refusal !== undefined) {
    await service.write(
      person,
      async ctx => {
        await endAllSessions(ctx, person)
        await endConnectionsOf(ctx, person)
      },
      'web',
    )
    return { refusal }
  }
  if (goal.linkTo !== undefined && goal.linkTo !== person.id) return { refusal: 'refused' }
  const notInvited = await service.write(
    person,
    async ctx => {
      const { email, name } = account
      const verified_email = verifiedOf(account)
      await updateRow(ctx.db, 'identities', identity.id, { email, name, verified_email, last_used_at: ctx.now() })
      await followGroups(ctx, provider, account, 'later')
      return goal.invitation && acceptIn(ctx, goal.invitation, { account, isNew: false })
    },
    'web',
  )
  return notInvited ? { refusal: notInvited } : { personId: person.id }
}

/** The email address of an account, if its provider says that it is verified. */
const verifiedOf = ({ email, verified }: Account): string | null => (verified ? email : null)

/**
 * Stores an account as one of the caller's.
 * @throws Overtaken
 */
async function keep(ctx: Context, account: Account): Promise<void> {
  const { provider, issuer, subject, email, name } = account
  const id = ctx.newId()
  const now = ctx.now()
  const rows = await ctx.db
    .insertInto('identities')
    .values({
      id,
      person_id: ctx.caller.id,
      provider,
      issuer,
      subject,
      email,
      name,
      linked_at: now,
      last_used_at: now,
      verified_email: verifiedOf(account),
    })
    .onConflict(conflict => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('id')
    .execute()
  if (rows.length === 0) throw new Overtaken()
  const target = { type: 'agent', id: ctx.caller.id, name: ctx.caller.name } as const
  await recordAudit(ctx, 'identity_linked', target, [], { provider })
}

/** @param followed the provider whose groups apply at once, because the person did not come to link an account */
async function link(
  service: Service,
  account: Account,
  personId: string,
  followed?: ProviderSettings,
): Promise<SignedInBy> {
  const person = await personBy(service, personId)
  if (person === undefined) return { refusal: 'disabled' }
  await service.write(
    person,
    async ctx => {
      await keep(ctx, account)
      if (followed !== undefined) await followGroups(ctx, followed, account, 'first')
    },
    'web',
  )
  return { personId }
}

async function invited(service: Service, account: Account, token: string): Promise<SignedInBy> {
  const person = newcomer(service, nameOf(account))
  const refusal = await service.write(
    person,
    async ctx => {
      const notInvited = await acceptIn(ctx, token, { account, isNew: true })
      if (notInvited === undefined) await keep(ctx, account)
      return notInvited
    },
    'web',
  )
  return refusal === undefined ? { personId: person.id } : { refusal }
}

/** Creates a person for an account that a provider's lists admit. */
async function created(service: Service, provider: ProviderSettings, account: Account): Promise<SignedInBy> {
  const person = newcomer(service, nameOf(account))
  await service.write(
    person,
    async ctx => {
      await keep(ctx, account)
      const { id, name } = person
      await insertRow(
        ctx.db,
        'agents',
        newAgent(null, {
          id,
          name,
          kind: 'person',
          handle: await derivedHandle(ctx.db, name),
          email: verifiedOf(account),
          preset_id: await presetOf(ctx.db, givenBy(provider, account).preset),
          created_by: (await ownerId(ctx.db)) ?? id,
          created_at: ctx.now(),
        }),
      )
      await recordAudit(ctx, 'person_created', { type: 'agent', id, name }, ['kind', 'name', 'preset_id'], {
        provider: provider.id,
      })
      await followGroups(ctx, provider, account, 'new')
    },
    'web',
  )
  return { personId: person.id }
}

const ownerId = async (db: Db): Promise<string | undefined> => (await findOwner(db))?.id
