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
import type { Repository } from './repository.ts'

const texts = messages.repositories

type Forge = Repository['forge']

const forges = (['github', 'gitlab', 'gitea', 'forgejo', 'plain'] as const).map(value => ({
  value,
  label: texts.forges[value],
}))

/** The value of a text field; null if it is empty. */
const textIn = (fields: FormData, name: string): string | null => {
  const text = String(fields.get(name) ?? '').trim()
  return text === '' ? null : text
}

interface NewRepositoryProps {
  readonly board: BoardListItem
  readonly onMade: (repository: Awaited<ReturnType<typeof client.createRepository>>) => Promise<void>
  readonly onClose: () => void
}

/** Asks for the address of a repository; its secret is shown once, together with where to paste it. */
export function NewRepository({ board, onMade, onClose }: NewRepositoryProps) {
  const making = useMutation({
    mutationFn: async (fields: FormData) => {
      const [forge, default_branch] = [textIn(fields, 'forge'), textIn(fields, 'default_branch')]
      const repository = await client.createRepository({
        board_id: board.id,
        url: String(fields.get('url')).trim(),
        ...(forge !== null && { forge: forge as Forge }),
        ...(default_branch !== null && { default_branch }),
      })
      await onMade(repository)
    },
  })
  return (
    <Dialog title={texts.newTitle} onClose={onClose}>
      <Form
        draft={`new-repository:${board.id}`}
        className="stack scrolls"
        onSend={fields => making.mutateAsync(fields)}
      >
        <Hinted hint={texts.urlHint} label={texts.url} name="url" required />
        <Choice label={texts.forge} name="forge" none={texts.anyForge} options={forges} />
        <InputField label={texts.branch} name="default_branch" placeholder="main" />
        <Submit sending={making}>{texts.create}</Submit>
      </Form>
    </Dialog>
  )
}

/** The fields of a repository that are edited. */
type RepositoryFields = Pick<Repository, 'name' | 'url' | 'default_branch' | 'path_prefix' | 'required_checks'>

const sayChecks = (checks: readonly string[]): string => checks.join(', ')

const writtenIn = (fields: FormData): RepositoryFields => ({
  name: String(fields.get('name')).trim(),
  url: String(fields.get('url')).trim(),
  default_branch: String(fields.get('default_branch')).trim(),
  path_prefix: textIn(fields, 'path_prefix'),
  required_checks: String(fields.get('required_checks'))
    .split(',')
    .map(check => check.trim())
    .filter(check => check !== ''),
})

/** The form of a repository as text, line by line. */
const wordsFor = ({ name, url, default_branch, path_prefix, required_checks }: RepositoryFields): string =>
  [name, url, default_branch, path_prefix ?? '', sayChecks(required_checks)].join('\n')

interface EditRepositoryProps {
  readonly repositoryId: string
  readonly onClose: () => void
  readonly onSaved: () => Promise<void>
}

/** Changes the name of a repository and which branches count; its secret stays. */
export function EditRepository({ repositoryId: repository_id, onClose, onSaved }: EditRepositoryProps) {
  const read = () => readWithTag(options => client.getRepository({ repository_id }, options))
  return (
    <ReadDialog title={texts.editTitle} read={read} onClose={onClose}>
      {from => (
        <EditedForm
          draft={`repository:${repository_id}`}
          from={from}
          read={read}
          write={async (changes, ifMatch) => {
            await client.updateRepository({ repository_id, ...changes }, { ifMatch })
            await onSaved()
          }}
          writtenIn={writtenIn}
          wordsFor={wordsFor}
          onClose={onClose}
        >
          <InputField label={texts.name} name="name" required defaultValue={from.name} />
          <Hinted hint={texts.urlHint} label={texts.url} name="url" required defaultValue={from.url} />
          <InputField label={texts.branch} name="default_branch" required defaultValue={from.default_branch} />
          <Hinted
            hint={texts.prefixHint}
            label={texts.prefix}
            name="path_prefix"
            defaultValue={from.path_prefix ?? ''}
          />
          <Hinted
            hint={texts.checksHint}
            label={texts.checks}
            name="required_checks"
            defaultValue={sayChecks(from.required_checks)}
          />
        </EditedForm>
      )}
    </ReadDialog>
  )
}

interface HintedProps {
  readonly label: string
  readonly hint: string
  readonly name: string
  readonly required?: true
  readonly defaultValue?: string
}

/** An input with a label above it and a hint below. */
const Hinted = ({ label, hint, name, ...input }: HintedProps) => (
  <label className="field">
    <span>{label}</span>
    <Input className="input" name={name} aria-describedby={`${name}-hint`} aria-label={label} {...input} />
    <span id={`${name}-hint`} className="muted">
      {hint}
    </span>
  </label>
)
