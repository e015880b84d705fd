import { openPath } from '../../base-path.ts'
import { element } from '../../components/element.ts'
import { faultOf } from '../../data/fault.ts'
import {
  askForLink,
  goToProvider,
  readSignInWays,
  SignInRefused,
  type SignInWays,
  signIn,
  signInByLink,
} from '../../data/sign-in.ts'
import icon from '../../icon.svg'
import { messages } from '../../messages/messages.ts'
import '../../components/refusal.css'
import './sign-in.css'

const texts = messages.signIn

/** The callbacks of the sign-in form. */
interface SignInEvents {
  /** Called when a request that may begin a session was sent. */
  readonly onSending?: () => void
  readonly onSignedIn: () => void
}

interface SignInForm extends SignInEvents {
  /** Why a link did not sign in. */
  readonly refused?: unknown
}

/**
 * Shows the sign-in form (people 2.4) in an element of the page. It does without the board's libraries, which would be most of what a visitor loads.
 * @returns removes it
 */
export function showSignIn(root: HTMLElement, { refused, ...events }: SignInForm): () => void {
  document.title = `${texts.title} · ${messages.shell.product}`
  const form = element(
    'div',
    { className: 'sign-in-form stack' },
    element('img', { className: 'logo', src: icon, alt: '', width: 32, height: 32 }),
    element('h1', {}, texts.title),
    ...errorOfAddress(),
    ...(refused === undefined ? [] : [refusal(saysOf(refused))]),
    ...linkForm(events),
  )
  const page = element('main', { className: 'sign-in' }, form)
  root.replaceChildren(page)
  // If the service does not report its sign-in methods, the form asks for a key and shows the service's response to it.
  void signInWaysOrNone().then(ways => form.append(...waysOf(ways, events)))
  return () => page.remove()
}

/** The pauses before each request for the sign-in methods, ms; their number is the number of attempts. */
const asks = [0, 1_000, 2_000]

async function signInWaysOrNone(): Promise<SignInWays> {
  for (const pause of asks) {
    await new Promise(resolve => setTimeout(resolve, pause))
    const ways = await readSignInWays().catch(() => undefined)
    if (ways !== undefined) return ways
  }
  return { providers: [], key: true, mail: false }
}

const waysOf = ({ providers, key, mail }: SignInWays, events: SignInEvents): HTMLElement[] => [
  ...providerButtons(providers),
  ...(mail ? [mailForm()] : []),
  ...(key ? [keyForm(events)] : []),
]

/** The error of a provider, from the address. */
function errorOfAddress(): HTMLElement[] {
  const word = new URLSearchParams(location.search).get('error') ?? ''
  return Object.hasOwn(texts.errors, word) ? [refusal(texts.errors[word as keyof typeof texts.errors])] : []
}

const refusal = (says: string): HTMLElement =>
  element('p', { className: 'refusal', attributes: { role: 'alert' } }, says)

const saysOf = (error: unknown): string =>
  error instanceof SignInRefused || faultOf(error) === undefined ? String((error as Error).message) : texts.unreachable

/** The page to return to: the one that required the sign-in. */
const returnTo = (): string => (openPath() === '/sign-in' ? '/' : openPath() + location.search)

/** The token of a sign-in link for this person: it takes effect by a button, so that link previews do not use it up. */
const linkToken = (): string | undefined => /^#([\w-]{43})$/.exec(location.hash)?.[1]

interface Sending {
  /** The button, which is disabled while sending; a refusal is shown before it. */
  readonly button: HTMLButtonElement
  readonly send: () => Promise<void>
  readonly onSent: () => void
}

/** Sends something, one request at a time, and shows why it was refused. */
async function sending({ button, send, onSent }: Sending): Promise<void> {
  if (button.disabled) return
  const { textContent: label, previousElementSibling: before } = button
  if (before?.matches('.refusal') === true) before.remove()
  button.disabled = true
  if (button.matches('.primary')) button.textContent = texts.signingIn
  try {
    await send()
    onSent()
  } catch (error) {
    button.before(refusal(saysOf(error)))
  }
  button.disabled = false
  button.textContent = label
}

function linkForm({ onSending, onSignedIn }: SignInEvents): HTMLElement[] {
  const token = linkToken()
  if (token === undefined) return []
  const send = () => {
    onSending?.()
    return signInByLink(token).finally(() => history.replaceState(null, '', location.pathname + location.search))
  }
  const button = element('button', {
    type: 'button',
    className: 'button primary',
    textContent: texts.submit,
    on: { click: () => void sending({ button, send, onSent: onSignedIn }) },
  })
  return [element('p', { className: 'muted' }, texts.byLink), button]
}

const providerButtons = (providers: SignInWays['providers']): HTMLElement[] =>
  providers.map(({ id, name }) => {
    const send = () => goToProvider({ provider: id, returnTo: returnTo() })
    const button = element('button', {
      type: 'button',
      className: 'button',
      textContent: texts.with(name),
      on: { click: () => void sending({ button, send, onSent: () => {} }) },
    })
    return button
  })

interface SentForm {
  readonly field: HTMLElement
  readonly button: HTMLButtonElement
  /** Elements before the field and after the button. */
  readonly before?: readonly HTMLElement[]
  readonly after?: readonly HTMLElement[]
  readonly send: () => Promise<void>
  readonly onSent: () => void
}

const sentForm = ({ field, before = [], after = [], ...one }: SentForm): HTMLElement =>
  element(
    'form',
    {
      className: 'stack',
      on: {
        submit(event) {
          event.preventDefault()
          void sending(one)
        },
      },
    },
    ...before,
    field,
    one.button,
    ...after,
  )

const labelled = (label: string, input: HTMLInputElement): HTMLElement =>
  element('label', { className: 'field' }, element('span', {}, label), input)

/** Asks for a sign-in link to be sent to the person's own address. */
function mailForm(): HTMLElement {
  const email = element('input', {
    className: 'input',
    type: 'email',
    name: 'email',
    autocomplete: 'email',
    required: true,
  })
  const notice = element('p', { className: 'muted', attributes: { role: 'status' } })
  return sentForm({
    field: labelled(texts.email, email),
    button: element('button', { type: 'submit', className: 'button', textContent: texts.mailLink }),
    after: [notice],
    send() {
      notice.textContent = ''
      return askForLink(email.value.trim())
    },
    onSent() {
      notice.textContent = texts.linkMailed
    },
  })
}

function keyForm({ onSending, onSignedIn }: SignInEvents): HTMLElement {
  const key = element('input', {
    className: 'input',
    type: 'password',
    name: 'key',
    autocomplete: 'current-password',
    placeholder: 'dash_…',
    required: true,
  })
  return sentForm({
    before: [element('p', { className: 'muted' }, texts.lead)],
    field: labelled(texts.key, key),
    button: element('button', { type: 'submit', className: 'button primary', textContent: texts.submit }),
    after: [hint(texts.hint, texts.command), hint(texts.lost, texts.lostCommand)],
    send() {
      onSending?.()
      return signIn(key.value.trim()).catch(inWordsForPeople)
    },
    onSent: onSignedIn,
  })
}

/** Says that a key does not work; the service's message tells programs which header to send. */
function inWordsForPeople(error: unknown): never {
  throw error instanceof SignInRefused && error.status === 401 ? new SignInRefused(texts.wrongKey, 401) : error
}

const hint = (says: string, command: string): HTMLElement =>
  element('p', { className: 'muted hint' }, `${says} `, element('code', {}, command))
