import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { InputField } from '../../components/field.tsx'
import { Failure } from '../../components/refusal.tsx'
import { sessionKey, signIn } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import './sign-in.css'

const texts = messages.signIn

/** What somebody sees who is not signed in. */
export function SignInPage() {
  const queries = useQueryClient()
  const [key, setKey] = useState('')
  useEffect(() => {
    document.title = `${texts.title} · ${messages.shell.product}`
  }, [])
  const signingIn = useMutation({
    mutationFn: signIn,
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionKey }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signingIn.mutate(key.trim())
  }
  return (
    <main className="sign-in">
      <form className="sign-in-form stack" onSubmit={submit}>
        <span className="logo" aria-hidden="true" />
        <h1>{texts.title}</h1>
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
    </main>
  )
}
