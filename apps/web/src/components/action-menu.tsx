import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { Menu } from './menu.tsx'

/** Runs the chosen action, and then reads again what it may have changed. */
export const useActing = (refresh: () => Promise<unknown>) =>
  useMutation({
    mutationFn: async (act: () => Promise<unknown>) => {
      await act()
      await refresh()
    },
  })

interface ActionMenuProps {
  /** What the actions are for, read out by screen readers. */
  readonly label: string
  /** The items of the menu; the function that `choose` returns closes the menu and acts. */
  readonly children: (choose: (act: () => void) => () => void) => ReactNode
}

/** A button with three dots that opens a menu of actions. */
export function ActionMenu({ label, children }: ActionMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const close = () => setAnchor(undefined)
  const choose = (act: () => void) => () => {
    close()
    act()
  }
  return (
    <>
      <IconButton icon="more" label={label} aria-haspopup="menu" onClick={event => setAnchor(event.currentTarget)} />
      {anchor !== undefined && (
        <Menu label={label} anchor={anchor} onClose={close}>
          {children(choose)}
        </Menu>
      )}
    </>
  )
}
