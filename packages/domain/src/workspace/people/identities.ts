/** A person's accounts at identity providers, as the person sees them (people 2.3). */
import type { features, Identity as IdentitySchema } from '@specboard/contract'
import type { z } from 'zod'
import { recordAudit } from '../../kernel/audit.ts'
import { blocked, notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { IdentitiesTable } from '../../schema/tables.ts'
import { readAgent } from '../agents/store.ts'

type People = typeof features.people

const ofPerson = hot<{ person: string }, IdentitiesTable>((db, param) =>
  db.selectFrom('identities').selectAll().where('person_id', '=', param('person')).orderBy('linked_at').orderBy('id'),
)

const identityOf = ({
  person_id: _,
  verified_email: __,
  ...identity
}: IdentitiesTable): z.output<typeof IdentitySchema> => identity

/** list_my_identities: in the order in which they were linked. */
export const listMyIdentities: Implementation<People['list_my_identities']> = async ({ query }, ctx) =>
  pageOf((await ofPerson(ctx.db, { person: ctx.caller.id })).map(identityOf), query)

/** Whether the provider of one of a person's accounts last confirmed that this address is theirs (people 5.3). */
export async function isVerifiedBy(db: Db, person: string, email: string): Promise<boolean> {
  const identities = await ofPerson(db, { person })
  return identities.some(({ verified_email }) => verified_email?.toLowerCase() === email.toLowerCase())
}

/** unlink_my_identity: not the last way to sign in. */
export const unlinkMyIdentity: Implementation<People['unlink_my_identity']> = async ({ params }, ctx) => {
  const { id, name } = ctx.caller
  const identities = await ofPerson(ctx.db, { person: id })
  const identity = identities.find(one => one.id === params.identity_id)
  if (identity === undefined) throw notFound('identity', params.identity_id)
  if (identities.length === 1 && (await readAgent(ctx.db, id)).key_hash === null)
    throw blocked(
      'LAST_SIGN_IN',
      'You would no longer have a way to sign in. Link another account, or create a key, before you unlink this one.',
      { identity_id: identity.id },
    )
  await ctx.db.deleteFrom('identities').where('id', '=', identity.id).execute()
  await recordAudit(ctx, 'identity_unlinked', { type: 'agent', id, name }, [], { provider: identity.provider })
}
