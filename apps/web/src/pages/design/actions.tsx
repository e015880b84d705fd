import { useState } from 'react'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Copied } from '../../components/copied.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { MenuItem } from '../../components/menu.tsx'
import Picker from '../../components/picker.tsx'
import { Removal } from '../../components/removal.tsx'
import { Segments } from '../../components/segments.tsx'
import { toast } from '../../components/toast.tsx'
import type { Allowance } from '../../data/rights.ts'
import type { Theme } from '../../preferences.ts'
import { Sample, State } from './sample.tsx'

const forbidden: Allowance = { state: 'forbidden', permission: 'CARDS_DELETE', held_by: [] }

const kinds = ['button', 'button primary', 'button quiet', 'button danger'] as const

const nothing = async () => {}

/** Buttons, menus and dialogs. */
export const Actions = ({ theme }: { readonly theme: Theme }) => (
  <>
    <Sample title="Buttons">
      {kinds.map(className => (
        <State key={className} name={className}>
          <span className="row">
            <Button className={className}>Bake</Button>
            <Button className={className} disabled>
              Disabled
            </Button>
            <Button className={className} allowed={forbidden}>
              Closed
            </Button>
          </span>
        </State>
      ))}
      <State name="with a picture, pressed">
        <span className="row">
          <Button>
            <Icon name="plus" /> Add
          </Button>
          <Button aria-pressed="true">Pressed</Button>
        </span>
      </State>
      <State name="icon buttons">
        <span className="row">
          <IconButton icon="edit" label="Edit" />
          <IconButton icon="trash" label="Delete" disabled />
          <IconButton icon="link" label="Link" allowed={forbidden} />
          <Removal label="Remove" lead="Nothing brings it back." onConfirm={nothing} />
        </span>
      </State>
    </Sample>
    <Sample title="Segments">
      <Segments
        label={`Segments, ${theme}`}
        options={{ chosen: 'Chosen', other: 'Other' }}
        values={['chosen', 'other']}
        chosen="chosen"
        onChoose={() => {}}
      />
    </Sample>
    <Sample title="Menu, picker, dialogs, toasts">
      <ActionMenu label="Menu">
        {choose => (
          <>
            <MenuItem onSelect={choose(() => {})}>Open</MenuItem>
            <MenuItem onSelect={choose(() => {})} note="It asks for a report.">
              With a note
            </MenuItem>
            <MenuItem onSelect={choose(() => {})} isDimmed note="Two scenarios are open.">
              Dimmed
            </MenuItem>
            <MenuItem onSelect={choose(() => {})} allowed={forbidden}>
              Closed
            </MenuItem>
          </>
        )}
      </ActionMenu>
      <Opened />
    </Sample>
    <Sample title="To be copied">
      <Copied label="Command" text="npx -y pnpm@12 specboard open" />
    </Sample>
  </>
)

const options = ['Bread', 'Cake', 'خبز'].map(label => ({ value: label, label }))

/** Components that open above the page. */
function Opened() {
  const [open, setOpen] = useState<'dialog' | 'wide' | 'drawer' | 'confirm'>()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [chosen, setChosen] = useState<readonly string[]>(['Bread'])
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onClick={event => setAnchor(event.currentTarget)}>Picker</Button>
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('wide')}>Wide</Button>
      <Button onClick={() => setOpen('drawer')}>Drawer</Button>
      <Button onClick={() => setOpen('confirm')}>Question</Button>
      <Button onClick={() => toast('The card was moved.')}>Toast</Button>
      <Button onClick={() => toast('The card was moved.', () => {})}>Toast with Undo</Button>
      {anchor !== undefined && (
        <Picker
          label="Choose"
          anchor={anchor}
          options={options}
          chosen={chosen}
          onChoose={value => setChosen([...new Set(chosen).symmetricDifference(new Set([value]))])}
          onNew={value => setChosen([...chosen, value])}
          onClose={() => setAnchor(undefined)}
        />
      )}
      {open === 'confirm' && (
        <Confirm
          title="Delete the card?"
          lead="Nothing brings it back."
          action="Delete"
          onConfirm={nothing}
          onClose={close}
        />
      )}
      {open !== undefined && open !== 'confirm' && (
        <Dialog title="A dialog" kind={open} onClose={close}>
          <p>What it is about.</p>
        </Dialog>
      )}
    </>
  )
}
