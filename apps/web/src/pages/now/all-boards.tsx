import { Now } from './page.tsx'

/** Workers on all boards. */
export default function NowOnAllBoards() {
  return <Now />
}
