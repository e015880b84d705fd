import { useMutation } from '@tanstack/react-query'
import { Choice } from '../../components/choice.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EditedForm } from '../../components/edited-form.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { ReadDialog } from '../../components/read-dialog.tsx'
import { Submit } from '../../components/submit.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { readWithTag } from '../../data/tagged.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.settings.webhooks

type Webhook = Awaited<ReturnType<typeof client.getWebhook>>

/** The editable fields of a webhook. */
type WrittenWebhook = Pick<Webhook, 'url' | 'description' | 'events' | 'format'>

const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')

const sayEvents = (events: readonly string[]): string => events.join(', ')

/** The values of a webhook's form. */
function writtenIn(fields: FormData): WrittenWebhook {
  const description = String(fields.get('description'))
  return {
    url: String(fields.get('url')),
    description: description === '' ? null : description,
    events: wordsOf(String(fields.get('events'))),
    format: fields.get('format') === 'slack' ? 'slack' : 'standard',
  }
}

interface NewWebhookProps {
  readonly board: BoardListItem
  readonly onMade: (secret: string | null) => Promise<void>
  readonly onClose: () => void
}

/** Creates a webhook; its secret is shown once. */
export function NewWebhook({ board, onMade, onClose }: NewWebhookProps) {
  const making = useMutation({
    mutationFn: async (webhook: WrittenWebhook) => {
      const { secret } = await client.createWebhook({ board_id: board.id, ...webhook })
      await onMade(secret)
    },
  })
  return (
    <Dialog title={texts.new} onClose={onClose}>
      <Form
        draft={`new-webhook:${board.id}`}
        className="stack scrolls"
        onSend={fields => making.mutateAsync(writtenIn(fields))}
      >
        <WebhookFields />
        <Submit sending={making}>{texts.create}</Submit>
      </Form>
    </Dialog>
  )
}

interface EditWebhookProps {
  readonly webhookId: string
  readonly onClose: () => void
  readonly onSaved: () => Promise<void>
}

/** Changes the address and events of a webhook; its secret stays. */
export function EditWebhook({ webhookId: webhook_id, onClose, onSaved }: EditWebhookProps) {
  const read = () => readWithTag(options => client.getWebhook({ webhook_id }, options))
  return (
    <ReadDialog title={texts.editTitle} read={read} onClose={onClose}>
      {from => (
        <EditedForm
          draft={`webhook:${webhook_id}`}
          from={from}
          read={read}
          write={async (changes, ifMatch) => {
            await client.updateWebhook({ webhook_id, ...changes }, { ifMatch })
            await onSaved()
          }}
          writtenIn={writtenIn}
          wordsFor={wordsFor}
          onClose={onClose}
        >
          <WebhookFields from={from} />
        </EditedForm>
      )}
    </ReadDialog>
  )
}

/** The form of a webhook as text, line by line. */
const wordsFor = ({ url, description, events, format }: WrittenWebhook): string =>
  [url, description ?? '', sayEvents(events), texts.formats[format]].join('\n')

const formats = (['standard', 'slack'] as const).map(value => ({ value, label: texts.formats[value] }))

const WebhookFields = ({ from }: { readonly from?: WrittenWebhook }) => (
  <>
    <InputField label={texts.url} name="url" type="url" required placeholder="https://" defaultValue={from?.url} />
    <InputField label={texts.description} name="description" defaultValue={from?.description ?? ''} />
    <label className="field">
      <span>{texts.events}</span>
      <Input
        className="input"
        name="events"
        defaultValue={from === undefined ? '*' : sayEvents(from.events)}
        required
        aria-describedby="webhook-events"
      />
      <span id="webhook-events" className="muted">
        {texts.eventsHint}
      </span>
    </label>
    <Choice label={texts.format} name="format" defaultValue={from?.format ?? 'standard'} options={formats} />
  </>
)
