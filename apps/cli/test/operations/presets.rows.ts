import { builtinPresets } from '@specboard/contract'
import type { Rows } from './row.ts'

const reporter = builtinPresets.find(preset => preset.name === 'Reporter')!.id

export const presets: Rows<'presets'> = {
  list_presets: { args: () => ({ limit: 3 }) },
  create_preset: { args: () => ({ name: 'Reader', flags: { CARDS_READ: true } }) },
  clone_preset: { args: () => ({ preset_id: reporter, name: 'Quiet reporter', flags: { COMMENTS_CREATE: false } }) },
  update_preset: {
    args: async (scene, caller) => ({ preset_id: await scene.preset(caller), description: 'Reads cards' }),
  },
  delete_preset: { args: async (scene, caller) => ({ preset_id: await scene.preset(caller) }) },
}
