import { createRoot } from 'react-dom/client'
import { createClient } from './data/client.ts'
createRoot(document.getElementById('root')!).render(<p>{Object.keys(createClient).length}</p>)
