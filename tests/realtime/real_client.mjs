// Prints every event of the real client as one line of JSON.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const [url, key, token] = process.argv.slice(2)
const { createClient } = createRequire(`${process.cwd()}/web/package.json`)('@supabase/supabase-js')
const print = (kind, value) => console.log(JSON.stringify([kind, value ?? null]))

const client = createClient(url, key, {
  accessToken: token ? async () => token : undefined,
  realtime: { heartbeatIntervalMs: Number(process.env.HEARTBEAT_MS ?? 300), heartbeatCallback: (status) => print('heartbeat', status) },
})
const channel = client.channel('signed-waivers-changes', { config: { broadcast: { self: true, ack: true } } })
channel
  .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'signed_waivers' }, (payload) => print('change', payload))
  .on('system', {}, (payload) => print('system', payload))
  .on('broadcast', { event: 'greeting' }, ({ payload }) => print('broadcast', payload))
// A client that subscribes before it has the user's token joins as anon and does not send the token later.
await client.realtime.setAuth()
print('state', channel.state)
channel.subscribe((status, error) => print(status, error?.message ?? channel.state))
print('state', channel.state)

const commands = {
  send: async () => print('sent', await channel.send({ type: 'broadcast', event: 'greeting', payload: { text: 'hello' } })),
  leave: async () => {
    print('left', await client.removeChannel(channel))
    print('state', channel.state)
    process.exit(0)
  },
}
createInterface({ input: process.stdin })
  .on('line', (command) => commands[command]())
  .on('close', () => process.exit(0))
