import { Link, useLocation } from 'wouter'
import './tabs.css'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly address: string; readonly label: string }[]
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: TabsProps) {
  const [location] = useLocation()
  return (
    <nav className="tabs" aria-label={label}>
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
