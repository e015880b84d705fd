import { useState } from 'react'
import { IconButton } from '../components/icon-button.tsx'
import { Menu, MenuItem } from '../components/menu.tsx'
import { messages } from '../messages/messages.ts'

const texts = messages.list

interface MoreMenuProps {
  readonly onExport: () => void
  /** Opens the panel that says how the table is shown, where the bar has no room for its button. */
  readonly onDisplay?: ((anchor: HTMLElement) => void) | undefined
}

/** What else can be done with what is shown. */
export function MoreMenu({ onExport, onDisplay }: MoreMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const close = () => setAnchor(undefined)
  return (
    <>
      <IconButton
        icon="more"
        label={texts.more}
        title={texts.more}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={event => setAnchor(event.currentTarget)}
      />
      {anchor !== undefined && (
        <Menu label={texts.more} anchor={anchor} onClose={close}>
          {onDisplay !== undefined && (
            <MenuItem
              onSelect={() => {
                close()
                onDisplay(anchor)
              }}
            >
              {texts.display.title}
            </MenuItem>
          )}
          <MenuItem
            onSelect={() => {
              close()
              onExport()
            }}
          >
            {texts.csv}
          </MenuItem>
          <MenuItem
            onSelect={() => {
              close()
              // Once the menu is off the page.
              setTimeout(() => print())
            }}
          >
            {texts.print}
          </MenuItem>
        </Menu>
      )}
    </>
  )
}
