import { useRef } from 'react'
import { EditedForm } from '../components/edited-form.tsx'
import { InputField } from '../components/field.tsx'
import { ReadDialog } from '../components/read-dialog.tsx'
import { SourceField } from '../components/source-field.tsx'
import { messages } from '../messages/messages.ts'
import type { Mockup, MockupCalls } from './mockup-calls.ts'
import { mockupIn } from './mockup-file.ts'
import { Screen } from './screen.tsx'

const texts = messages.mockups

interface MockupDialogProps {
  readonly calls: MockupCalls
  /** The mockup that is edited; undefined for a new one. */
  readonly of?: Pick<Mockup, 'id' | 'title'>
  readonly onClose: () => void
}

type MockupFields = Pick<Mockup, 'title' | 'html_content'> & { readonly description: string | null }

interface StoredMockup extends MockupFields {
  readonly tag: string
  readonly others: readonly Mockup[]
}

/** Edits the HTML of a mockup next to a preview of its screen, or takes it from a file. */
export default function MockupDialog({ calls, of, onClose }: MockupDialogProps) {
  const read = async (): Promise<StoredMockup> => {
    const { mockups, tag } = await calls.read()
    const { title = '', html_content = '', description = null } = mockups.find(({ id }) => id === of?.id) ?? {}
    return { title, html_content, description, tag, others: mockups }
  }
  return (
    <ReadDialog kind="wide" title={of === undefined ? texts.add : texts.edit(of.title)} read={read} onClose={onClose}>
      {from => <MockupForm calls={calls} of={of} from={from} read={read} onClose={onClose} />}
    </ReadDialog>
  )
}

interface MockupFormProps extends Omit<MockupDialogProps, 'of'> {
  readonly of: MockupDialogProps['of'] | undefined
  readonly from: StoredMockup
  readonly read: () => Promise<StoredMockup>
}

function MockupForm({ calls, of, from, read, onClose }: MockupFormProps) {
  const mockups = useRef(from.others)
  const write = (fields: MockupFields, ifMatch: string) => {
    const newMockup: Mockup = {
      id: `sm_${crypto.randomUUID().slice(0, 8)}`,
      screen_type: 'page',
      annotations: null,
      order: mockups.current.length,
      origin_id: null,
      ...fields,
    }
    const all = mockups.current.map(mockup => (mockup.id === of?.id ? { ...mockup, ...fields } : mockup))
    return calls.write(of === undefined ? [...all, newMockup] : all, ifMatch)
  }
  return (
    <EditedForm
      draft={`mockup:${calls.of}:${of?.id ?? 'new'}`}
      from={from}
      read={async () => {
        const now = await read()
        mockups.current = now.others
        return now
      }}
      write={write}
      writtenIn={(fields): MockupFields => ({
        title: String(fields.get('title')).trim(),
        description: String(fields.get('description')).trim() || null,
        html_content: String(fields.get('source')),
      })}
      wordsFor={({ title, description, html_content }) => [title, description, html_content].join('\n\n')}
      submit={of === undefined ? texts.addIt : messages.shell.save}
      onClose={onClose}
    >
      <InputField label={texts.title} name="title" required maxLength={255} defaultValue={from.title} />
      <InputField label={texts.description} name="description" defaultValue={from.description ?? ''} />
      <SourceField
        label={texts.source}
        name="source"
        value={from.html_content}
        faultIn={source => (source.trim() === '' ? texts.empty : '')}
        fileLabel={texts.file}
        read={mockupIn}
        previewLabel={texts.preview}
        preview={source => <Screen title={texts.preview} html={source} />}
      />
    </EditedForm>
  )
}
