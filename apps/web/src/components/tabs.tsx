import { useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useStrip } from './strip.ts'
import './tabs.css'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly address: string; readonly label: string }[]
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: TabsProps) {
  const [location] = useLocation()
  const row = useRef<HTMLElement>(null)
  useStrip(row, location)
  return (
    <nav ref={row} className="tabs" aria-label={label}>
      {tabs.map(tab => (
        <Link
          key={tab.address}
          className="tab"
          href={tab.address}
          {...(location === tab.address ? { 'aria-current': 'page' } : {})}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
