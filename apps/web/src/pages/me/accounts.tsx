import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { ownKeys, useMyIdentities } from '../../data/me.ts'
import { useSignInWays } from '../../data/session.ts'
import { goToProvider } from '../../data/sign-in.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.me

type Identity = NonNullable<ReturnType<typeof useMyIdentities>['data']>[number]

const nameOf = ({ email, name, subject }: Identity): string => email ?? name ?? subject

/** The provider accounts that sign the person in, with controls to link and unlink them. */
export function Accounts() {
  const queries = useQueryClient()
  const { data: identities = [], error } = useMyIdentities()
  const { data: ways } = useSignInWays()
  const [selected, setSelected] = useState<Identity>()
  const linking = useMutation({
    mutationFn: (provider: string) => goToProvider({ provider, returnTo: '/me', link: true }),
  })
  const providers = ways?.providers ?? []
  if (providers.length === 0 && identities.length === 0) return null
  return (
    <Section title={texts.signIn}>
      <Failure error={error ?? linking.error} />
      {identities.length === 0 ? (
        <p className="muted">{texts.noIdentities}</p>
      ) : (
        <Table
          caption={texts.identities}
          rows={identities}
          keyOf={({ id }) => id}
          columns={[
            { label: texts.account, cell: identity => <bdi>{nameOf(identity)}</bdi> },
            {
              label: texts.provider,
              cell: ({ provider }) => providers.find(({ id }) => id === provider)?.name ?? provider,
            },
            { label: texts.linked, cell: ({ linked_at }) => <Time at={linked_at} /> },
            { label: texts.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
            {
              label: texts.unlink,
              cell: identity => (
                <button
                  type="button"
                  className="button quiet"
                  aria-label={texts.unlinkThat(nameOf(identity))}
                  onClick={() => setSelected(identity)}
                >
                  {texts.unlink}
                </button>
              ),
            },
          ]}
        />
      )}
      <div className="row wrap">
        {providers.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="button"
            disabled={linking.isPending}
            onClick={() => linking.mutate(id)}
          >
            {texts.link(name)}
          </button>
        ))}
      </div>
      {selected !== undefined && (
        <Confirm
          title={texts.unlinkThat(nameOf(selected))}
          lead={texts.unlinkLead}
          action={texts.unlink}
          onConfirm={async () => {
            await client.unlinkMyIdentity({ identity_id: selected.id })
            await queries.invalidateQueries({ queryKey: ownKeys.identities })
          }}
          onClose={() => setSelected(undefined)}
        />
      )}
    </Section>
  )
}
