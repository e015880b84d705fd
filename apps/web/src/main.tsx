import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, Guard } from './app.tsx'
import { NextActionsView } from './components/refusal.tsx'
import { showLooks } from './data/looks.ts'
import { createQueryClient } from './data/query-client.ts'
import { signInByLink } from './data/session.ts'
import { keepHalf } from './data/session-half.ts'
import './styles/tokens.css'
import './styles/base.css'

const NextActions = lazy(() => import('./actions/next-actions.tsx'))

/**
 * The token of a one-time link, removed from the address at once so that no history keeps it. So is the half of a
 * session that a provider began.
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

showLooks()
const token = takeToken()
// A used link is no error for a person who is signed in; others see the form.
if (token !== undefined) await signInByLink(token).catch(() => {})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <NextActionsView value={NextActions}>
        <Guard>
          <App />
        </Guard>
      </NextActionsView>
    </QueryClientProvider>
  </StrictMode>,
)
