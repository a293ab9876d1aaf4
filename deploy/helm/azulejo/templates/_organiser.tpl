{{/*
The organiser's token by reference: lists for a server's arguments, its mounts and its volumes. Releases
that are older than this value do not have it.
*/}}
{{- define "azulejo.organiser" -}}
{{- $secret := .Values.arena.organiser | default dict }}
{{- if $secret.secretName }}
args: [--admin-token-file=/etc/azulejo/organiser/token]
mounts:
  - name: organiser
    mountPath: /etc/azulejo/organiser
    readOnly: true
volumes:
  - name: organiser
    secret:
      secretName: {{ $secret.secretName }}
      defaultMode: 0440
      items:
        - key: {{ $secret.secretKey | default "token" }}
          path: token
{{- else }}
args: []
mounts: []
volumes: []
{{- end }}
{{- end -}}
