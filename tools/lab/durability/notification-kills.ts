import type { Client } from '@specboard/client'
import { MailSink, readable, type TakenMail } from '../../../apps/cli/test/support/mail-sink.ts'
import { inParallel } from '../harness/in-parallel.ts'
import type { Lab } from '../harness/lab.ts'
import { byLink, ownerSession } from '../harness/present.ts'

/** The mails that people received, compared with the questions that were asked. */
export interface Outcome {
  /** The expected notifications: one per person and question. */
  readonly notifications: number
  /** Received mails with a notification, including repeats. */
  readonly mails: number
  /** Mails that the mail server had accepted when the service was killed, without the service knowing. */
  readonly unnoted: number
  /** Notifications that never arrived. */
  readonly lost: number
  /** Notifications that arrived more than once. */
  readonly repeated: number
  /** Repeats with a different Message-ID, and mails that share theirs with another notification. */
  readonly wrong: number
}

/** The questions of a round: fewer than a channel sends in a minute one by one. */
const questions = 2

interface Person {
  readonly id: string
  readonly email: string
}

const subjectOf = ({ raw }: TakenMail): string => /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? ''
const idOf = ({ raw }: TakenMail): string | undefined => /^Message-ID: *(<[^>]*>)/im.exec(raw)?.[1]

/**
 * Asks persons questions, kills the server with SIGKILL while it mails them, starts it again, and compares the received
 * mails with the questions (people 8). The mail server accepts some mails of each round without confirming: the kill
 * happens after a mail was sent and before that is recorded.
 * @param onKill called after each kill
 */
export async function killWhileNotifying(
  lab: Lab,
  { persons, kills }: { readonly persons: number; readonly kills: number },
  onKill: () => void = () => {},
): Promise<Outcome> {
  const sink = await MailSink.start()
  const start = () => lab.start('data', { SPECBOARD_SMTP_URL: sink.url, SPECBOARD_MAIL_FROM: 'board@example.com' })
  let server = await start()
  const expected: { readonly email: string; readonly title: string }[] = []
  let unnoted = 0
  const coming = () => comparedWith(expected, sink.mails)
  try {
    for (let round = 0; round < kills; round++) {
      const { client: owner } = await ownerSession(lab.place(), server.url)
      const { id: board_id } = await owner.createBoard({ name: `Crash ${round}`, description: '' })
      const recipients = await inParallel(Array.from({ length: persons }), 4, (_, index) =>
        personWithMail({ owner, url: server.url, sink, board_id, email: `p${round}-${index}@example.com` }),
      )
      const before = sink.mails.length
      const all = persons * questions
      const quota = 1 + Math.floor(Math.random() * (all - 1))
      const unconfirmed = new Set<TakenMail>()
      // From here on it does not confirm what it accepts.
      sink.confirm = (mail, say) => (sink.mails.length - before < quota ? say() : void unconfirmed.add(mail))
      const titles = await ask(owner, board_id, round)
      expected.push(...recipients.flatMap(({ email }) => titles.map(title => ({ email, title }))))
      await sink.taken(before + quota)
      await server.kill()
      unnoted += unconfirmed.size
      onKill()
      sink.confirm = (_, say) => say()
      server = await start()
      while (coming().lost > 0) await sink.taken(sink.mails.length + 1)
    }
    return { notifications: expected.length, unnoted, ...coming() }
  } finally {
    await sink.stop()
  }
}

/** A person on a board, who is notified by mail. */
async function personWithMail({
  owner,
  url,
  sink,
  board_id,
  email,
}: {
  readonly owner: Client
  readonly url: string
  readonly sink: MailSink
  readonly board_id: string
  readonly email: string
}): Promise<Person> {
  const { id } = await owner.createAgent({
    kind: 'person',
    name: email,
    email,
    preset_id: 'Full Control',
    board_ids: [board_id],
  })
  const { client: person } = await byLink(url, (await owner.createSignInLink({ agent_id: id })).url)
  const channel = await person.createNotificationChannel({ type: 'email', email })
  const [mail] = await sink.takenBy(email, 1)
  const code = /\b[0-9]{8}\b/.exec(readable(mail!.raw.slice(mail!.raw.indexOf('\r\n\r\n'))))![0]
  await person.confirmNotificationChannel({ channel_id: channel.id, code })
  return { id, email }
}

/**
 * Asks questions about cards of a board, as somebody other than the notified people; returns the titles of the cards.
 */
async function ask(owner: Client, board_id: string, round: number): Promise<string[]> {
  const { id: spec_id } = await owner.createSpec({ board_id, title: 'Spec', status: 'in_progress' })
  return inParallel(Array.from({ length: questions }), questions, async (_, index) => {
    const title = `Card ${round} ${index}`
    const { id } = await owner.createCard({ board_id, spec_id, title })
    await owner.askCardQuestion({ card_id: id, question: 'Which colour?' })
    return title
  })
}

/** Compares the received mails with the questions. */
function comparedWith(
  expected: readonly { readonly email: string; readonly title: string }[],
  mails: readonly TakenMail[],
) {
  const idsOf = Map.groupBy(
    mails.flatMap(mail => {
      const title = /Card \d+ \d+/.exec(subjectOf(mail))?.[0]
      return title === undefined ? [] : [{ notification: `${mail.to} ${title}`, id: idOf(mail) }]
    }),
    ({ notification }) => notification,
  )
  const came = [...idsOf.values()]
  const firstIds = new Set(came.map(([first]) => first!.id))
  return {
    mails: came.flat().length,
    lost: expected.filter(({ email, title }) => !idsOf.has(`${email} ${title}`)).length,
    repeated: came.reduce((sum, mails) => sum + mails.length - 1, 0),
    wrong:
      came.flatMap(mails => mails.filter(({ id }) => id === undefined || id !== mails[0]!.id)).length +
      (came.length - firstIds.size),
  }
}
