import { MenuItem } from '../components/menu.tsx'
import { saveFile } from '../data/save-file.ts'
import { messages } from '../messages/messages.ts'
import { type Picture, pngOf } from './picture.ts'

/** Saves what was made on the page as a file. */
export const saveAs = (body: BodyInit, name: string, type: string): Promise<void> =>
  saveFile(new Response(body, { headers: { 'content-type': type } }), name)

interface PictureItemsProps {
  /** Makes the picture; undefined or null where nothing is drawn. */
  readonly picture: () => Picture | null | undefined
  /** The base name of saved files. */
  readonly file: string
  readonly choose: (act: () => void) => () => void
}

/** Items of a menu that save a picture. */
export function PictureItems({ picture, file, choose }: PictureItemsProps) {
  const texts = messages.analytics
  const savePng = async () => {
    const image = picture()
    if (image) await saveAs(await pngOf(image), `${file}.png`, 'image/png')
  }
  const saveSvg = async () => {
    const image = picture()
    if (image) await saveAs(image.text, `${file}.svg`, 'image/svg+xml')
  }
  return (
    <>
      <MenuItem onSelect={choose(() => void savePng())}>{texts.savePng}</MenuItem>
      <MenuItem onSelect={choose(() => void saveSvg())}>{texts.saveSvg}</MenuItem>
    </>
  )
}
