import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { InputField } from '../../components/field.tsx'
import { Failure } from '../../components/refusal.tsx'
import { askForLink, sessionKey, signIn, signInByLink, useSignInWays } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { ProviderButtons } from './providers.tsx'
import './sign-in.css'

const texts = messages.signIn

/** An error at a provider, as the address reports it. */
function errorOfAddress(): string | undefined {
  const word = new URLSearchParams(location.search).get('error') ?? ''
  return Object.hasOwn(texts.errors, word) ? texts.errors[word as keyof typeof texts.errors] : undefined
}

/** The page to return to: the one that needed a session. */
const returnTo = (): string => (location.pathname === '/sign-in' ? '/' : location.pathname + location.search)

/**
 * The token of a link that somebody made for this person: a button signs in, so that link previews do not use it up.
 */
const linkToken = (): string | undefined => /^#([\w-]{43})$/.exec(location.hash)?.[1]

/** The sign-in page. */
export function SignInPage() {
  useEffect(() => {
    document.title = `${texts.title} · ${messages.shell.product}`
  }, [])
  const { data: ways } = useSignInWays()
  const error = errorOfAddress()
  const token = linkToken()
  return (
    <main className="sign-in">
      <div className="sign-in-form stack">
        <span className="logo" aria-hidden="true" />
        <h1>{texts.title}</h1>
        {error !== undefined && (
          <p className="refusal" role="alert">
            {error}
          </p>
        )}
        {token !== undefined && <LinkForm token={token} />}
        <ProviderButtons providers={ways?.providers ?? []} returnTo={returnTo()} />
        {ways?.mail === true && <MailForm />}
        {ways?.key !== false && <KeyForm />}
      </div>
    </main>
  )
}

function LinkForm({ token }: { readonly token: string }) {
  const queries = useQueryClient()
  const signingIn = useMutation({
    mutationFn: () => signInByLink(token),
    onSettled: () => history.replaceState(null, '', location.pathname + location.search),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionKey }),
  })
  return (
    <>
      <p className="muted">{texts.byLink}</p>
      <Failure error={signingIn.error} />
      <button
        type="button"
        className="button primary"
        disabled={signingIn.isPending || signingIn.isError}
        onClick={() => signingIn.mutate()}
      >
        {signingIn.isPending ? texts.signingIn : texts.submit}
      </button>
    </>
  )
}

/** Requests a sign-in link by mail. */
function MailForm() {
  const [email, setEmail] = useState('')
  const asking = useMutation({ mutationFn: askForLink })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    asking.mutate(email.trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <InputField
        label={texts.email}
        type="email"
        name="email"
        autoComplete="email"
        required
        value={email}
        onChange={event => setEmail(event.target.value)}
      />
      <Failure error={asking.error} />
      <button type="submit" className="button" disabled={asking.isPending}>
        {texts.mailLink}
      </button>
      {asking.isSuccess && (
        <p className="muted" role="status">
          {texts.linkMailed}
        </p>
      )}
    </form>
  )
}

function KeyForm() {
  const queries = useQueryClient()
  const [key, setKey] = useState('')
  const signingIn = useMutation({
    mutationFn: signIn,
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionKey }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signingIn.mutate(key.trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">{texts.lead}</p>
      <InputField
        label={texts.key}
        type="password"
        name="key"
        autoComplete="current-password"
        placeholder="dash_…"
        required
        value={key}
        onChange={event => setKey(event.target.value)}
      />
      <Failure error={signingIn.error} />
      <button type="submit" className="button primary" disabled={signingIn.isPending}>
        {signingIn.isPending ? texts.signingIn : texts.submit}
      </button>
      <p className="muted hint">
        {texts.hint} <code>{texts.command}</code>
      </p>
      <p className="muted hint">
        {texts.lost} <code>{texts.lostCommand}</code>
      </p>
    </form>
  )
}
