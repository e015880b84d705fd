import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App, pageFault } from './app.tsx'
import { basePath } from './base-path.ts'
import { Guard } from './components/guard.tsx'
import { part } from './components/part.tsx'
import { NextActionsView } from './components/refusal.tsx'
import { createQueryClient } from './data/query-client.ts'
import './styles/print.css'
import './styles/touch.css'

const NextActions = part(
  () => import('./actions/next-actions.tsx'),
  () => null,
)

/** Renders the board in an element of the page, for a signed-in person. */
export const startApp = (element: HTMLElement): void =>
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <NextActionsView value={NextActions}>
          <Router base={basePath}>
            <Guard fault={pageFault}>
              <App />
            </Guard>
          </Router>
        </NextActionsView>
      </QueryClientProvider>
    </StrictMode>,
  )
