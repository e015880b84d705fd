import { useMutation } from '@tanstack/react-query'
import { Failure } from '../../components/refusal.tsx'
import { goToProvider, type SignInWays } from '../../data/sign-in.ts'
import { messages } from '../../messages/messages.ts'

interface ProviderButtonsProps {
  readonly providers: SignInWays['providers']
  /** Where the provider returns to. */
  readonly returnTo: string
  /** The token of an invitation that the account accepts. */
  readonly invitation?: string
}

/** A button for each provider; renders nothing if there are none. */
export function ProviderButtons({ providers, returnTo, invitation }: ProviderButtonsProps) {
  const going = useMutation({
    mutationFn: (provider: string) =>
      goToProvider({ provider, returnTo, ...(invitation !== undefined && { invitation }) }),
  })
  if (providers.length === 0) return null
  return (
    <>
      {providers.map(({ id, name }) => (
        <button key={id} type="button" className="button" disabled={going.isPending} onClick={() => going.mutate(id)}>
          {messages.signIn.with(name)}
        </button>
      ))}
      <Failure error={going.error} />
    </>
  )
}
