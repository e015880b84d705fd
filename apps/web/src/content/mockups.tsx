import { useState } from 'react'
import { saveAs } from '../charts/picture-items.tsx'
import { ActionMenu } from '../components/action-menu.tsx'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { Linked } from '../components/linked.tsx'
import { MenuItem } from '../components/menu.tsx'
import { opening } from '../components/part.tsx'
import { Removal } from '../components/removal.tsx'
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
  const [asked, setAsked] = useState<{ readonly of?: Mockup }>()
  const [large, setLarge] = useState<Mockup>()
  const remove = async (id: string) => {
    const { mockups, tag } = await calls.read()
    await calls.write(
      mockups.filter(mockup => mockup.id !== id),
      tag,
    )
  }
  const adding = (
    <Button className="button quiet add-one" needs={calls.needs} onClick={() => setAsked({})}>
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
                <Save mockup={screen} />
                <IconButton
                  icon="edit"
                  label={texts.edit(screen.title)}
                  title={texts.edit(screen.title)}
                  needs={calls.needs}
                  onClick={() => setAsked({ of: screen })}
                />
                <Removal
                  label={texts.remove(screen.title)}
                  lead={texts.removeLead}
                  needs={calls.needs}
                  onConfirm={() => remove(screen.id)}
                />
              </div>
              <Screen title={screen.title} html={screen.html_content} />
            </details>
          ))}
          {adding}
        </Section>
      )}
      {large !== undefined && (
        <Viewer title={large.title} save={<Save mockup={large} />} onClose={() => setLarge(undefined)}>
          <Screen title={large.title} html={large.html_content} />
        </Viewer>
      )}
      {asked !== undefined && (
        <MockupDialog
          calls={calls}
          {...(asked.of !== undefined && { of: asked.of })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Saves a mockup as the page that it is. */
const Save = ({ mockup: { title, html_content } }: { readonly mockup: Mockup }) => (
  <ActionMenu label={messages.analytics.save(title)}>
    {choose => (
      <MenuItem onSelect={choose(() => void saveAs(html_content, `${title}.html`, 'text/html'))}>
        {messages.viewer.saveHtml}
      </MenuItem>
    )}
  </ActionMenu>
)
