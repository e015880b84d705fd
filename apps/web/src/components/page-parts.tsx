import type { ComponentType } from 'react'
import type { BoardListItem } from '../data/boards.ts'
import type { Needs } from '../data/needs.ts'
import type { BoardPageProps } from '../page-props.ts'
import { noNeeds, Readable } from './guarded.tsx'
import { Tabs } from './tabs.tsx'

/** A part of a page, with an address below that of the page; the first part has the page's own address. */
export interface PagePart {
  /** The suffix of its address, with its slash. */
  readonly part: string
  readonly label: string
  /** The permissions needed to read it, beyond those of the page. */
  readonly reads?: Needs
  readonly Part: ComponentType<{ readonly board: BoardListItem }>
}

interface PagePartsProps extends BoardPageProps {
  readonly title: string
  /** The address of the page below that of its board. */
  readonly path: string
  readonly parts: readonly [PagePart, ...PagePart[]]
}

/** The title of a page with parts, their tabs, and the part that the address names. */
export function PageParts({ title, path, parts, board, params }: PagePartsProps) {
  const { Part, reads = noNeeds } = parts.find(({ part }) => part === `/${params.part}`) ?? parts[0]
  const tabs = parts.map(({ part, label }) => ({ address: `/b/${board.key}/${path}${part}`, label }))
  return (
    <>
      <h1>{title}</h1>
      <Tabs label={title} tabs={tabs} />
      <Readable needs={reads}>
        <Part board={board} />
      </Readable>
    </>
  )
}
