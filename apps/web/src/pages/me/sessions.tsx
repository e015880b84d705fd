import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { ownKeys, useMySessions } from '../../data/me.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.me

/** The browsers in which the person is signed in. */
export function Sessions() {
  const queries = useQueryClient()
  const { data: sessions = [], error } = useMySessions()
  const ending = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const session_id of ids) await client.endMySession({ session_id })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ownKeys.sessions }),
  })
  const others = sessions.filter(({ current }) => !current).map(({ id }) => id)
  return (
    <Section
      title={texts.sessions}
      actions={
        others.length > 0 && (
          <button type="button" className="button" disabled={ending.isPending} onClick={() => ending.mutate(others)}>
            {texts.endOthers}
          </button>
        )
      }
    >
      <Failure error={error ?? ending.error} />
      <Table
        caption={texts.sessions}
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          {
            label: texts.browser,
            cell: ({ browser, current }) => (
              <>
                <bdi>{browser}</bdi> {current && <span className="badge green">{texts.here}</span>}
              </>
            ),
          },
          {
            label: texts.signedInBy,
            cell: ({ via, provider, present }) => (
              <>
                {provider ?? texts.via[via]} {!present && <span className="muted">({texts.notPresent})</span>}
              </>
            ),
          },
          { label: texts.address, cell: ({ address }) => <code>{address}</code> },
          { label: texts.started, cell: ({ started_at }) => <Time at={started_at} /> },
          { label: texts.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
          {
            label: texts.end,
            cell: ({ id, browser, current }) =>
              !current && (
                <button
                  type="button"
                  className="button quiet"
                  aria-label={texts.endSession(browser)}
                  disabled={ending.isPending}
                  onClick={() => ending.mutate([id])}
                >
                  {texts.end}
                </button>
              ),
          },
        ]}
      />
    </Section>
  )
}
