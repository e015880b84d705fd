import { useState } from 'react'
import { saveAs } from '../charts/picture-items.tsx'
import { ActionMenu } from '../components/action-menu.tsx'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { Linked } from '../components/linked.tsx'
import { MenuItem } from '../components/menu.tsx'
import { opening } from '../components/part.tsx'
import { useRemoval } from '../components/removal.tsx'
import { Section } from '../components/section.tsx'
import { messages } from '../messages/messages.ts'
import type { Mockup, MockupCalls } from './mockup-calls.ts'
import { Screen } from './screen.tsx'

const Viewer = opening(() => import('../components/viewer.tsx'))
const MockupDialog = opening(() => import('./mockup-dialog.tsx'))

const texts = messages.mockups

interface MockupsProps {
  readonly screens: readonly Mockup[]
  readonly calls: MockupCalls
}

/** Mockup screens, with controls to add, edit and remove them. */
export function Mockups({ screens, calls }: MockupsProps) {
  const [edit, setEdit] = useState<{ readonly of?: Mockup }>()
  const [large, setLarge] = useState<Mockup>()
  const remove = async (id: string) => {
    const { mockups, tag } = await calls.read()
    await calls.write(
      mockups.filter(mockup => mockup.id !== id),
      tag,
    )
  }
  const adding = (
    <Button className="button quiet add-one" needs={calls.needs} onClick={() => setEdit({})}>
      <Icon name="plus" size={14} /> {texts.add}
    </Button>
  )
  return (
    <>
      {screens.length === 0 ? (
        adding
      ) : (
        <Section title={messages.card.mockups} count={screens.length}>
          {screens.map(screen => (
            <details key={screen.id} className="box">
              <summary dir="auto">{screen.title}</summary>
              <div className="row mockup-tools">
                <p className="muted grow">{screen.description !== null && <Linked text={screen.description} />}</p>
                <IconButton
                  icon="expand"
                  label={messages.viewer.open(screen.title)}
                  title={messages.viewer.openHint}
                  onClick={() => setLarge(screen)}
                />
                <IconButton
                  icon="edit"
                  label={texts.edit(screen.title)}
                  title={texts.edit(screen.title)}
                  needs={calls.needs}
                  onClick={() => setEdit({ of: screen })}
                />
                <MoreOf mockup={screen} needs={calls.needs} onRemove={() => remove(screen.id)} />
              </div>
              <Screen title={screen.title} html={screen.html_content} />
            </details>
          ))}
          {adding}
        </Section>
      )}
      {large !== undefined && (
        <Viewer
          title={large.title}
          save={
            <ActionMenu label={messages.analytics.save(large.title)}>
              {choose => <SaveItem mockup={large} choose={choose} />}
            </ActionMenu>
          }
          onClose={() => setLarge(undefined)}
        >
          <Screen title={large.title} html={large.html_content} />
        </Viewer>
      )}
      {edit !== undefined && (
        <MockupDialog
          calls={calls}
          {...(edit.of !== undefined && { of: edit.of })}
          onClose={() => setEdit(undefined)}
        />
      )}
    </>
  )
}

interface MoreOfProps {
  readonly mockup: Mockup
  readonly needs: MockupCalls['needs']
  readonly onRemove: () => Promise<unknown>
}

/** Rarely used actions on a mockup. */
function MoreOf({ mockup, needs, onRemove }: MoreOfProps) {
  const label = texts.remove(mockup.title)
  const { ask, dialog } = useRemoval({ label, lead: texts.removeLead, onConfirm: onRemove })
  return (
    <>
      <ActionMenu label={messages.viewer.more(mockup.title)}>
        {choose => (
          <>
            <SaveItem mockup={mockup} choose={choose} />
            <MenuItem needs={needs} onSelect={choose(ask)}>
              {label}
            </MenuItem>
          </>
        )}
      </ActionMenu>
      {dialog}
    </>
  )
}

interface SaveItemProps {
  readonly mockup: Mockup
  readonly choose: (act: () => void) => () => void
}

/** Saves a mockup as an HTML page. */
const SaveItem = ({ mockup: { title, html_content }, choose }: SaveItemProps) => (
  <MenuItem onSelect={choose(() => void saveAs(html_content, `${title}.html`, 'text/html'))}>
    {messages.viewer.saveHtml}
  </MenuItem>
)
