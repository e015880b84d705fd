import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Button } from '../../components/button.tsx'
import { Copied } from '../../components/copied.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { Icon } from '../../components/icon.tsx'
import { MenuItem } from '../../components/menu.tsx'
import { Failure } from '../../components/refusal.tsx'
import { exactTime } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Needs } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'
import { Deliveries } from './deliveries.tsx'
import { useSecretActions } from './secret-actions.tsx'
import { EditWebhook, NewWebhook } from './webhook-form.tsx'

const texts = messages.settings.webhooks

/** The permissions needed to change webhooks. */
const managing: Needs = ['WEBHOOKS_MANAGE']

type Webhook = Awaited<ReturnType<typeof client.listWebhooks>>['items'][number]

/** The webhooks of a board and their state (work 6). */
export function Webhooks({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const queryKey = keys.list(board.id, 'webhook')
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () => (await client.listWebhooks({ board_id: board.id })).items,
  })
  const refresh = () => queries.invalidateQueries({ queryKey })
  return (
    <>
      <div className="row wrap">
        <p className="muted grow">{texts.lead}</p>
        <Button needs={managing} className="button primary" onClick={() => setMaking(true)}>
          <Icon name="plus" /> {texts.new}
        </Button>
      </div>
      <Failure error={error} />
      {data?.length === 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
      {data?.map(webhook => (
        <WebhookView key={webhook.id} webhook={webhook} onChanged={refresh} onSecret={setSecret} />
      ))}
      {isMaking && (
        <NewWebhook
          board={board}
          onClose={() => setMaking(false)}
          onMade={async newSecret => {
            await refresh()
            setMaking(false)
            setSecret(newSecret)
          }}
        />
      )}
      {secret !== null && (
        <Dialog title={texts.secretTitle} leave={messages.shell.haveIt} onClose={() => setSecret(null)}>
          <p>{texts.secretOnce}</p>
          <Copied label={texts.secret} text={secret} />
        </Dialog>
      )}
    </>
  )
}

interface WebhookViewProps {
  readonly webhook: Webhook
  readonly onChanged: () => Promise<void>
  readonly onSecret: (secret: string | null) => void
}

function WebhookView({ webhook, onChanged, onSecret }: WebhookViewProps) {
  const { id: webhook_id, url, description, events, format, active, disabled_reason, failing_since } = webhook
  const queries = useQueryClient()
  const [isEdited, setEdited] = useState(false)
  const { acting, items, asking } = useSecretActions({
    texts,
    needs: managing,
    active,
    turn: () => client.updateWebhook({ webhook_id, active: !active }),
    rotate: async () => onSecret((await client.rotateWebhookSecret({ webhook_id })).secret),
    remove: () => client.deleteWebhook({ webhook_id }),
    onChanged: async () => {
      await onChanged()
      await queries.invalidateQueries({ queryKey: keys.record('webhook', webhook_id) })
    },
  })
  const ping = async () => {
    await client.pingWebhook({ webhook_id })
    toast(texts.pinged)
  }
  return (
    <article className="box stack">
      <header className="row wrap">
        <h2 className="grow">{description ?? url}</h2>
        <span className={active ? 'badge green' : 'badge'}>{active ? texts.active : texts.inactive}</span>
        {failing_since !== null && <span className="badge red">{texts.failing(exactTime(failing_since))}</span>}
        <ActionMenu label={texts.actionsOf(url)}>
          {choose => (
            <>
              <MenuItem needs={managing} onSelect={choose(() => setEdited(true))}>
                {texts.edit}
              </MenuItem>
              <MenuItem needs={managing} onSelect={choose(() => acting.mutate(ping))}>
                {texts.ping}
              </MenuItem>
              {items(choose)}
            </>
          )}
        </ActionMenu>
      </header>
      <p>
        <code>{url}</code>
      </p>
      <p className="muted">
        {texts.formats[format]} · {events.join(', ')} {disabled_reason}
      </p>
      <Failure error={acting.error} />
      <Deliveries webhookId={webhook_id} />
      {isEdited && <EditWebhook webhookId={webhook_id} onClose={() => setEdited(false)} onSaved={onChanged} />}
      {asking}
    </article>
  )
}
