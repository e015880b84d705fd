import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { basePath } from '../../base-path.ts'
import { InputField } from '../../components/field.tsx'
import { Failure } from '../../components/refusal.tsx'
import { join, readInvitation, type ShownInvitation } from '../../data/sign-in.ts'
import icon from '../../icon.svg'
import { messages } from '../../messages/messages.ts'
import { ProviderButtons } from './providers.tsx'
import './sign-in.css'

const texts = messages.signIn.invitation

interface InvitePageProps {
  /** Whether somebody is signed in, who then gains access to the boards. */
  readonly isSignedIn: boolean
}

/** Who invites the person, to which boards, and in what role; with controls to accept (people 2.6). */
export default function InvitePage({ isSignedIn }: InvitePageProps) {
  const [token] = useState(() => location.hash.slice(1))
  useEffect(() => {
    document.title = `${texts.title} · ${messages.shell.product}`
  }, [])
  const { data: invitation, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(token),
    retry: false,
  })
  return (
    <main className="sign-in">
      <div className="sign-in-form stack">
        <img className="logo" src={icon} alt="" width={32} height={32} />
        <h1>{texts.title}</h1>
        <Failure error={error} />
        {invitation !== undefined && <Offer token={token} invitation={invitation} isSignedIn={isSignedIn} />}
      </div>
    </main>
  )
}

interface OfferProps extends InvitePageProps {
  readonly token: string
  readonly invitation: ShownInvitation
}

function Offer({ token, invitation, isSignedIn }: OfferProps) {
  const { invited_by_name, preset_name, boards, providers } = invitation
  const [name, setName] = useState(invitation.name ?? '')
  const joining = useMutation({
    mutationFn: () => join(token, name.trim() || texts.name),
    // Everything read so far was read as somebody else, so the page is loaded again.
    onSuccess: () => location.assign(`${basePath}/`),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    joining.mutate()
  }
  return (
    <>
      <p>{texts.by(invited_by_name)}</p>
      {preset_name !== null && !isSignedIn && <p className="muted">{texts.as(preset_name)}</p>}
      {boards.length > 0 && (
        <>
          <p className="muted">{texts.boards}</p>
          <ul>
            {boards.map(board => (
              <li key={board.name}>{texts.board(board.name, texts.shares[board.share])}</li>
            ))}
          </ul>
        </>
      )}
      {!isSignedIn && <ProviderButtons providers={providers} returnTo="/" invitation={token} />}
      <form className="stack" onSubmit={submit}>
        {!isSignedIn && (
          <InputField
            label={texts.name}
            name="name"
            autoComplete="name"
            required
            value={name}
            onChange={event => setName(event.target.value)}
          />
        )}
        <Failure error={joining.error} />
        <button type="submit" className="button primary" disabled={joining.isPending}>
          {joining.isPending ? texts.joining : isSignedIn ? texts.accept : texts.join}
        </button>
      </form>
    </>
  )
}
