import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { sessionKey } from '../../data/session.ts'
import { showSignIn } from './sign-in.ts'

/** Shown when a session ends while the board is open. */
export function SignInPage() {
  const queries = useQueryClient()
  const place = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      showSignIn(place.current!, {
        onSignedIn: () => void queries.invalidateQueries({ queryKey: sessionKey }),
      }),
    [queries],
  )
  return <div ref={place} />
}
