import type { ComponentType } from 'react'
import { planFolders } from './address.ts'
import type { IconName } from './components/icon.tsx'
import type { Needs } from './data/needs.ts'
import { type Later, later } from './later.ts'
import { messages } from './messages/messages.ts'
import type { BoardPageProps } from './page-props.ts'

/** The group of a navigation entry; the last group is at the foot. */
export type NavigationGroup = 'work' | 'plan' | 'know' | 'measure' | 'foot'

/** The position of a page in the navigation. */
export interface Navigation {
  readonly label: string
  readonly group: NavigationGroup
  readonly icon: IconName
  /** The second key of its `g` shortcut. */
  readonly key: string
  /** Whether it is in the bottom bar of a phone; the others are behind More. */
  readonly isOnPhone?: boolean
}

interface RouteBase {
  /** In the syntax of wouter; pages of a board begin with `/b/:board/`. */
  readonly path: string
  /** If undefined, the page can only be reached by links. */
  readonly navigation?: Navigation
}

/** A page of its own, or a page of a board, which is shown once the board is read. */
export type PageRoute =
  | (RouteBase & { readonly place: 'top'; readonly page: ComponentType & Later })
  | (RouteBase & {
      readonly place: 'board'
      readonly page: ComponentType<BoardPageProps> & Later
      /** The permissions needed to read the page. */
      readonly reads?: Needs
    })

const { pages } = messages.shell

const PlanListPage = later(() => import('./pages/planning/list-page.tsx'))
const PlanRecordPage = later(() => import('./pages/planning/record-page.tsx'))

const planIcons = {
  ideation: { icon: 'idea', key: 'd', group: 'plan' },
  refinement: { icon: 'refinement', key: 'r', group: 'plan' },
  spec: { icon: 'file', key: 's', group: 'plan' },
  sprint: { icon: 'flag', key: 'p', group: 'work' },
} as const satisfies Record<keyof typeof planFolders, Omit<Navigation, 'label'>>

const planReads = {
  ideation: ['IDEATIONS_READ'],
  refinement: ['REFINEMENTS_READ'],
  spec: ['SPECS_READ'],
  sprint: ['SPRINTS_READ'],
} as const satisfies Record<keyof typeof planFolders, Needs>

/** A list and a page for each kind of planned record. */
const planRoutes = (Object.keys(planFolders) as (keyof typeof planFolders)[]).flatMap((kind): PageRoute[] => [
  {
    path: `/b/:board/${planFolders[kind]}`,
    place: 'board',
    page: PlanListPage,
    reads: planReads[kind],
    navigation: { label: messages.planning.lists[kind].title, ...planIcons[kind] },
  },
  { path: `/b/:board/${planFolders[kind]}/:ref`, place: 'board', page: PlanRecordPage, reads: planReads[kind] },
])
const LineagePage = later(() => import('./pages/lineage/page.tsx'))
const KnowledgePage = later(() => import('./pages/knowledge/page.tsx'))
const SettingsPage = later(() => import('./pages/settings/page.tsx'))
const ProfilePage = later(() => import('./pages/me/page.tsx'))
const AdministrationPage = later(() => import('./pages/admin/page.tsx'))

/** All pages. A page is a folder under pages/ whose page.tsx is loaded when it is first opened. */
export const routes: readonly PageRoute[] = [
  {
    path: '/',
    place: 'top',
    page: later(() => import('./pages/inbox/page.tsx')),
    navigation: { label: pages.inbox, icon: 'inbox', key: 'i', group: 'work', isOnPhone: true },
  },
  { path: '/me', place: 'top', page: ProfilePage },
  { path: '/me/:part', place: 'top', page: ProfilePage },
  { path: '/i/:item', place: 'top', page: later(() => import('./pages/inbox/item-page.tsx')) },
  {
    path: '/b/:board/now',
    place: 'board',
    page: later(() => import('./pages/now/page.tsx')),
    navigation: { label: pages.now, icon: 'now', key: 'w', group: 'work', isOnPhone: true },
  },
  { path: '/now', place: 'top', page: later(() => import('./pages/now/all-boards.tsx')) },
  {
    path: '/b/:board/board',
    place: 'board',
    page: later(() => import('./pages/board/page.tsx')),
    reads: ['CARDS_READ'],
    navigation: { label: pages.board, icon: 'board', key: 'b', group: 'work', isOnPhone: true },
  },
  {
    path: '/b/:board/list',
    place: 'board',
    page: later(() => import('./pages/list/page.tsx')),
    reads: ['CARDS_READ'],
    navigation: { label: pages.list, icon: 'list', key: 'o', group: 'work' },
  },
  {
    path: '/b/:board/cards/:ref',
    place: 'board',
    page: later(() => import('./pages/card/page.tsx')),
    reads: ['CARDS_READ'],
  },
  ...planRoutes,
  {
    path: '/b/:board/coverage/:ref',
    place: 'board',
    page: later(() => import('./pages/coverage/page.tsx')),
    reads: ['SPECS_READ'],
  },
  {
    path: '/b/:board/reports/:report',
    place: 'board',
    page: later(() => import('./pages/report/page.tsx')),
    reads: ['REPORTS_READ'],
  },
  {
    path: '/b/:board/timeline',
    place: 'board',
    page: later(() => import('./pages/timeline/page.tsx')),
    reads: ['CARDS_READ', 'SPECS_READ', 'SPRINTS_READ'],
    navigation: { label: pages.timeline, icon: 'timeline', key: 'm', group: 'plan' },
  },
  {
    path: '/b/:board/dependencies',
    place: 'board',
    page: later(() => import('./pages/dependencies/page.tsx')),
    reads: ['CARDS_READ'],
    navigation: { label: pages.dependencies, icon: 'network', key: 'e', group: 'plan' },
  },
  { path: '/b/:board/r/:ref', place: 'board', page: later(() => import('./pages/record/page.tsx')) },
  {
    path: '/b/:board/lineage',
    place: 'board',
    page: LineagePage,
    reads: ['LINEAGE_READ'],
    navigation: { label: pages.lineage, icon: 'lineage', key: 'l', group: 'know' },
  },
  { path: '/b/:board/lineage/:ref', place: 'board', page: LineagePage, reads: ['LINEAGE_READ'] },
  {
    path: '/b/:board/knowledge',
    place: 'board',
    page: KnowledgePage,
    reads: ['KG_READ'],
    navigation: { label: pages.knowledge, icon: 'graph', key: 'k', group: 'know' },
  },
  {
    path: '/b/:board/knowledge/nodes/:node',
    place: 'board',
    page: later(() => import('./pages/knowledge/node.tsx')),
    reads: ['KG_READ'],
  },
  { path: '/b/:board/knowledge/:part', place: 'board', page: KnowledgePage, reads: ['KG_READ'] },
  {
    path: '/b/:board/architecture',
    place: 'board',
    page: later(() => import('./pages/architecture/page.tsx')),
    reads: ['ARCHITECTURE_READ'],
    navigation: { label: pages.architecture, icon: 'shapes', key: 'h', group: 'know' },
  },
  {
    path: '/b/:board/architecture/:design',
    place: 'board',
    page: later(() => import('./pages/architecture/design.tsx')),
    reads: ['ARCHITECTURE_READ'],
  },
  {
    path: '/b/:board/analytics',
    place: 'board',
    page: later(() => import('./pages/analytics/page.tsx')),
    reads: ['ANALYTICS_READ'],
    navigation: { label: pages.analytics, icon: 'chart', key: 'n', group: 'measure' },
  },
  {
    path: '/b/:board/activity',
    place: 'board',
    page: later(() => import('./pages/activity/page.tsx')),
    navigation: { label: pages.activity, icon: 'pulse', key: 'a', group: 'measure' },
  },
  {
    path: '/b/:board/settings',
    place: 'board',
    page: SettingsPage,
    navigation: { label: pages.settings, icon: 'settings', key: 't', group: 'foot' },
  },
  { path: '/b/:board/settings/:part', place: 'board', page: SettingsPage },
  {
    path: '/admin',
    place: 'top',
    page: AdministrationPage,
    navigation: { label: pages.administration, icon: 'people', key: ',', group: 'foot' },
  },
  { path: '/admin/:part', place: 'top', page: AdministrationPage },
]
