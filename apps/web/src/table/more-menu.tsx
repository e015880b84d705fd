import { useState } from 'react'
import { IconButton } from '../components/icon-button.tsx'
import { Menu, MenuItem } from '../components/menu.tsx'
import { messages } from '../messages/messages.ts'

const texts = messages.list

interface MoreMenuProps {
  readonly onExport: () => void
  /** Opens the display options, if the bar has no room for their button. */
  readonly onDisplay?: ((anchor: HTMLElement) => void) | undefined
}

/** Further actions on the shown rows. */
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
