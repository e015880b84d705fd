/** Sign-in links sent by mail (people 2.5). */
import { recordAudit } from '../../kernel/audit.ts'
import type { Service } from '../../kernel/service/service.ts'
import { hot } from '../../schema/hot.ts'
import { makeSignInLink } from './sign-in-links.ts'

/** A person with an address. */
type Addressee = { readonly id: string; readonly email: string }

const byEmail = hot<{ email: string }, Addressee>((db, param) =>
  db
    .selectFrom('agents')
    .select(['id', 'email'])
    .$narrowType<Addressee>()
    .where(({ fn }) => fn('lower', ['email']), '=', param('email'))
    .where('kind', '=', 'person')
    .where('is_active', '=', 1)
    .where('deleted_at', 'is', null)
    .limit(2),
)

/** Whether sign-in links can be sent by mail: mail is set up, and there is an address to link to. */
export const maySendLinks = ({ environment: { notifications, publicUrl } }: Service): boolean =>
  publicUrl !== undefined && notifications.types.email

/** The one person with an address, ignoring case; undefined if there is nobody, or several. */
export async function personWithEmail({ database }: Service, email: string): Promise<Addressee | undefined> {
  const found = await database.read(db => byEmail(db, { email: email.toLowerCase() }))
  return found.length === 1 ? found[0] : undefined
}

/** Sends a person a sign-in link, to the stored address, however it was typed. */
export async function mailSignInLink(service: Service, { id, email }: Addressee): Promise<void> {
  const person = await service.agent(id)
  if (person === undefined) return
  const caller = { ...person.caller, via: 'service' as const }
  const { url } = await service.write(
    caller,
    async ctx => {
      await recordAudit(ctx, 'sign_in_link_created', { type: 'agent', id, name: caller.name }, [], {
        via: 'mail',
      })
      return makeSignInLink(ctx, id, 'mail')
    },
    'web',
  )
  await service.environment.notifications.mail(id, email, {
    title: 'Sign in to Specboard',
    lines: [
      {
        text: 'Somebody asked to sign in to Specboard as you. If it was you, open this link and press the button:',
        url,
      },
      { text: 'It works once, for 10 minutes. If it was not you, do nothing.', url: null },
    ],
  })
}
