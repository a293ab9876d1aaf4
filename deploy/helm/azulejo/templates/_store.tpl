{{/* How a container reaches the store: lists for its environment, its mounts and its volumes. */}}
{{- define "azulejo.store" -}}
{{- if eq .Values.shape "single" }}
env: []
mounts:
  - name: data
    mountPath: /var/lib/azulejo
volumes:
  - name: data
    persistentVolumeClaim:
      claimName: {{ .Values.single.storage.existingClaim | default (printf "data-%s-0" (include "azulejo.name" (list . "server"))) }}
{{- else }}
{{- $database := .Values.arena.database }}
env:
  - name: AZULEJO_STORE
    valueFrom:
      secretKeyRef:
        name: {{ $database.secretName }}
        key: {{ $database.secretKey }}
{{- if $database.caSecretName }}
mounts:
  - name: database-ca
    mountPath: /etc/azulejo/database
    readOnly: true
volumes:
  - name: database-ca
    secret:
      secretName: {{ $database.caSecretName }}
      items:
        - key: ca.crt
          path: ca.crt
{{- else }}
mounts: []
volumes: []
{{- end }}
{{- end }}
{{- end -}}
