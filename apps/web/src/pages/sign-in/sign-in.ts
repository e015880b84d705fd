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

/** What the form to sign in tells whoever shows it. */
interface SignInEvents {
  /** Something was sent that may begin a session. */
  readonly onSending?: () => void
  readonly onSignedIn: () => void
}

/**
 * Shows who is not signed in how to (people 2.4), in an element of the page. It is drawn without the libraries of the
 * board, which would be most of what a visitor loads.
 * @returns takes it away
 */
export function showSignIn(root: HTMLElement, events: SignInEvents): () => void {
  document.title = `${texts.title} · ${messages.shell.product}`
  const form = element(
    'div',
    { className: 'sign-in-form stack' },
    element('img', { className: 'logo', src: icon, alt: '', width: 32, height: 32 }),
    element('h1', {}, texts.title),
    ...errorOfAddress(),
    ...linkForm(events),
  )
  const page = element('main', { className: 'sign-in' }, form)
  root.replaceChildren(page)
  // A service that does not say how one signs in is asked for its key: what it answers then is said.
  void waysOrNone().then(ways => form.append(...waysOf(ways, events)))
  return () => page.remove()
}

/** How often it is asked how people sign in, and how long after one another, ms. */
const asks = [0, 1_000, 2_000]

async function waysOrNone(): Promise<SignInWays> {
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

/** What went wrong at a provider, as the address says. */
function errorOfAddress(): HTMLElement[] {
  const word = new URLSearchParams(location.search).get('error') ?? ''
  return Object.hasOwn(texts.errors, word) ? [refusal(texts.errors[word as keyof typeof texts.errors])] : []
}

const refusal = (says: string): HTMLElement =>
  element('p', { className: 'refusal', attributes: { role: 'alert' } }, says)

const saysOf = (error: unknown): string =>
  error instanceof SignInRefused || faultOf(error) === undefined ? String((error as Error).message) : texts.unreachable

/** Where one wanted to go: the page that asked who is signed in. */
const returnTo = (): string => (openPath() === '/sign-in' ? '/' : openPath() + location.search)

/** The token of a link that somebody made for this person: it signs in by a button, so that nothing that only looks does. */
const linkToken = (): string | undefined => /^#([\w-]{43})$/.exec(location.hash)?.[1]

interface Sending {
  /** The button that is closed meanwhile; what it is refused stands before it. */
  readonly button: HTMLButtonElement
  readonly send: () => Promise<void>
  readonly onSent: () => void
}

/** Sends something once at a time, and says why it was refused. */
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
  /** What stands before and after them. */
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

/** Asks for a link to one's own address. */
function mailForm(): HTMLElement {
  const email = element('input', {
    className: 'input',
    type: 'email',
    name: 'email',
    autocomplete: 'email',
    required: true,
  })
  const told = element('p', { className: 'muted', attributes: { role: 'status' } })
  return sentForm({
    field: labelled(texts.email, email),
    button: element('button', { type: 'submit', className: 'button', textContent: texts.mailLink }),
    after: [told],
    send() {
      told.textContent = ''
      return askForLink(email.value.trim())
    },
    onSent() {
      told.textContent = texts.linkMailed
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
      return signIn(key.value.trim())
    },
    onSent: onSignedIn,
  })
}

const hint = (says: string, command: string): HTMLElement =>
  element('p', { className: 'muted hint' }, `${says} `, element('code', {}, command))
