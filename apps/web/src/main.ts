import { openPath } from './base-path.ts'
import { hasHalf, keepHalf, onOtherTabs } from './data/session-half.ts'
import { signInByLink } from './data/sign-in.ts'
import { readTexts } from './messages/language.ts'
import { showSignIn } from './pages/sign-in/sign-in.ts'
import { showStartFault } from './pages/sign-in/start-fault.ts'
import { applyPreferences } from './preferences.ts'
import './styles/tokens.css'
import './styles/base.css'

/*
 * The first script, which every visitor loads. A browser without a session is shown the sign-in form, which needs none of the board's libraries.
 */

const root = document.getElementById('root')!

/**
 * The token of a one-time link; it is removed from the address at once, so that it does not stay in the history. So is
 * the half of a session that began at a provider.
 */
function takeToken(): string | undefined {
  const [, half] = /^#half=([\w-]{43})$/.exec(location.hash) ?? []
  const token = location.hash.slice(1)
  if (half === undefined && !token.includes('.')) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  if (half === undefined) return token
  keepHalf(half)
  return undefined
}

/** The script of the board; it is loaded only once, however often this is called. */
const loadApp = () => import('./start-app.tsx')

/** Shows the board, or why its script did not load. */
async function start(): Promise<void> {
  try {
    const { startApp } = await loadApp()
    startApp(root)
  } catch (error) {
    showStartFault(root, error)
  }
}

/**
 * Shows the sign-in form until a session begins here or in another tab.
 * @param refused why a link did not sign in
 */
function askWho(refused?: unknown): void {
  const begin = (): void => {
    endHearing()
    endForm()
    void start()
  }
  const endHearing = onOtherTabs(isSignedIn => isSignedIn && begin())
  // Loads the board while the service checks what was sent.
  const endForm = showSignIn(root, {
    onSending: () => void loadApp().catch(() => {}),
    onSignedIn: begin,
    refused,
  })
}

async function begin(): Promise<void> {
  const token = takeToken()
  await readTexts({ de: () => import('./messages/de.ts') })
  // If a person is already signed in, it does not matter that the link was already used; others see why, and the form.
  let refused: unknown
  if (token !== undefined)
    await signInByLink(token).catch(error => {
      refused = error
    })
  // An invitation may be for people without a session.
  if (hasHalf() || openPath() === '/invite') await start()
  else askWho(refused)
}

applyPreferences()
void begin()
